/** Types whose wire name is not their own name in capitals. */
const NAMES: Readonly<Record<string, string>> = {
  AnyType: '*',
  MultiCombo: 'COMBO',
  Load3DCamera: 'LOAD3D_CAMERA',
  Load3D: 'LOAD_3D',
  Load3DAnimation: 'LOAD_3D_ANIMATION',
  MatchType: 'COMFY_MATCHTYPE_V3',
  Autogrow: 'COMFY_AUTOGROW_V3',
  DynamicCombo: 'COMFY_DYNAMICCOMBO_V3',
  DynamicSlot: 'COMFY_DYNAMICSLOT_V3',
};

/** Options whose wire name differs from the parameter. */
export const OPTION_NAMES: Readonly<Record<string, string>> = {
  display_mode: 'display',
  force_input: 'forceInput',
  raw_link: 'rawLink',
  dynamic_prompts: 'dynamicPrompts',
  widget_type: 'widgetType',
};

/** `ControlNet` is `CONTROL_NET`, `SVG` is `SVG`. */
export function schemaType(name: string): string {
  return NAMES[name] ?? name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}
