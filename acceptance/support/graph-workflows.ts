/** Workflows for the graph of the console, as the editor saves them. */
type Json = Readonly<Record<string, unknown>>;

interface NodeOptions {
  readonly title?: string;
  readonly values?: unknown;
  readonly size?: readonly [number, number];
  /** `name:TYPE`, with the link that leads there; a name with `*` is a widget's. */
  readonly inputs?: readonly (readonly [name: string, link: number | null])[];
  readonly outputs?: readonly string[];
  readonly more?: Json;
}

function node(id: number, type: string, pos: readonly [number, number], options: NodeOptions = {}): Json {
  const { title, values, size = [260, 120], inputs = [], outputs = [], more = {} } = options;
  return {
    id,
    type,
    pos,
    size,
    mode: 0,
    inputs: inputs.map(([named, link]) => {
      const [name = '', socket = 'IMAGE'] = named.replace('*', '').split(':');
      return { name, type: socket, link, ...(named.includes('*') && { widget: { name } }) };
    }),
    outputs: outputs.map((output) => ({ name: output, type: output, links: [] })),
    ...(title !== undefined && { title }),
    ...(values !== undefined && { widgets_values: values }),
    ...more,
  };
}

export const SOFTEN = '7d9c4c1e-4d7a-4d3e-9a55-1f2f3a4b5c6d';

/** Every kind of widget, groups, notes, a subgraph, a reroute and what ComfyUI's users know. */
export function richWorkflow(picture: string): Json {
  return {
    nodes: [
      node(1, 'LoadImage', [40, 80], {
        title: 'Portrait',
        values: [picture, 'image'],
        size: [280, 300],
        outputs: ['IMAGE', 'MASK'],
      }),
      node(2, SOFTEN, [380, 80], {
        inputs: [
          ['image', 1],
          ['*radius:INT', null],
        ],
        outputs: ['IMAGE'],
        values: [4],
      }),
      node(3, 'TextOverlay', [700, 80], {
        title: 'Caption',
        size: [300, 330],
        inputs: [['images', 2]],
        outputs: ['IMAGE'],
        values: ['Hello from the graph', 12, '#ffffff', 'bottom', 'center', false],
      }),
      node(4, 'Reroute', [1040, 100], { inputs: [[':*', 3]], outputs: ['IMAGE'], size: [75, 26] }),
      node(5, 'ImageAddNoise', [1120, 80], {
        title: 'Grain',
        inputs: [['image', 4]],
        outputs: ['IMAGE'],
        values: [7, 'fixed', 0.1],
      }),
      node(6, 'SaveImage', [1420, 80], { inputs: [['images', 5]], values: ['graph'], size: [320, 330] }),
      node(7, 'EmptyImage', [40, 540], {
        title: 'Backdrop',
        outputs: ['IMAGE'],
        values: [64, 64, 1, 0x33_66_99],
        size: [280, 150],
      }),
      node(8, 'PreviewImage', [380, 540], { inputs: [['images', 6]], size: [280, 240] }),
      node(9, 'MarkdownNote', [700, 540], {
        title: 'How to use it',
        values: [
          '# Portrait\n\nChoose a **picture**, then run.\n\n- [Guide](https://example.com)\n- `seed` is fixed',
        ],
        size: [300, 200],
        more: { color: '#432' },
      }),
      node(10, 'Note', [1040, 540], { values: ['A plain note.'], size: [260, 100] }),
      node(11, 'StringConcatenate', [1340, 540], {
        title: 'Words',
        outputs: ['STRING'],
        values: ['one', 'two', ', '],
        size: [280, 210],
      }),
      node(12, 'PreviewAny', [1660, 540], { inputs: [['source:*', 7]], size: [240, 160] }),
    ],
    links: [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 3, 0, 'IMAGE'],
      [3, 3, 0, 4, 0, 'IMAGE'],
      [4, 4, 0, 5, 0, 'IMAGE'],
      [5, 5, 0, 6, 0, 'IMAGE'],
      [6, 7, 0, 8, 0, 'IMAGE'],
      [7, 11, 0, 12, 0, 'STRING'],
    ],
    groups: [
      { title: 'Picture', bounding: [20, 0, 1740, 440], color: '#3f789e' },
      { title: 'Extras', bounding: [20, 460, 1900, 350], color: '#88a' },
    ],
    extra: {
      reroutes: [{ id: 1, pos: [690, 480] }],
    },
    definitions: {
      subgraphs: [
        {
          id: SOFTEN,
          name: 'Soften',
          version: 1,
          inputNode: { id: -10, bounding: [-240, 60, 120, 80] },
          outputNode: { id: -20, bounding: [380, 60, 120, 60] },
          inputs: [
            { name: 'image', type: 'IMAGE', linkIds: [1] },
            { name: 'radius', type: 'INT', linkIds: [2] },
          ],
          outputs: [{ name: 'IMAGE', type: 'IMAGE', linkIds: [3] }],
          nodes: [
            node(4, 'ImageBlur', [0, 60], {
              title: 'Inner blur',
              inputs: [
                ['image', 1],
                ['*blur_radius:INT', 2],
                ['*sigma:FLOAT', null],
              ],
              outputs: ['IMAGE'],
              values: [3, 0.5],
            }),
          ],
          links: [
            { id: 1, origin_id: -10, origin_slot: 0, target_id: 4, target_slot: 0, type: 'IMAGE' },
            { id: 2, origin_id: -10, origin_slot: 1, target_id: 4, target_slot: 1, type: 'INT' },
            { id: 3, origin_id: 4, origin_slot: 0, target_id: -20, target_slot: 0, type: 'IMAGE' },
          ],
        },
      ],
    },
    version: 0.4,
  };
}

/** Few nodes, near enough to be read on a picture of the page. */
export function portraitWorkflow(picture: string): Json {
  const { definitions } = richWorkflow(picture);
  return {
    nodes: [
      node(1, 'LoadImage', [40, 80], {
        title: 'Portrait',
        values: [picture, 'image'],
        size: [260, 300],
        outputs: ['IMAGE', 'MASK'],
      }),
      node(2, SOFTEN, [350, 80], {
        inputs: [
          ['image', 1],
          ['*radius:INT', null],
        ],
        outputs: ['IMAGE'],
        values: [4],
        size: [220, 80],
      }),
      node(3, 'TextOverlay', [620, 80], {
        title: 'Caption',
        size: [280, 300],
        inputs: [['images', 2]],
        outputs: ['IMAGE'],
        values: ['Studio light', 9, '#ffffff', 'bottom', 'center', false],
      }),
      node(4, 'SaveImage', [950, 80], { inputs: [['images', 3]], values: ['portrait'], size: [300, 300] }),
      node(5, 'MarkdownNote', [350, 230], {
        title: 'How to use it',
        values: ['Drop a **portrait** on the first node and press *Run*.'],
        size: [220, 110],
        more: { color: '#432' },
      }),
    ],
    links: [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 3, 0, 'IMAGE'],
      [3, 3, 0, 4, 0, 'IMAGE'],
    ],
    groups: [{ title: 'Retouch', bounding: [20, 0, 1250, 430], color: '#3f789e' }],
    definitions,
    version: 0.4,
  };
}

const OUTER = '0e5b1f5a-52f0-4b46-9e1c-7f6d6a3f9d10';

/** A subgraph inside a subgraph. */
export function nestedWorkflow(): Json {
  const { definitions } = richWorkflow('none.png') as { definitions: { subgraphs: Json[] } };
  return {
    nodes: [
      node(1, 'EmptyImage', [0, 0], { outputs: ['IMAGE'], values: [64, 64, 1, 255] }),
      node(2, OUTER, [320, 0], { title: 'Outer', inputs: [['image', 1]], outputs: ['IMAGE'] }),
      node(3, 'SaveImage', [640, 0], { inputs: [['images', 2]], values: ['nested'] }),
    ],
    links: [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 3, 0, 'IMAGE'],
    ],
    definitions: {
      subgraphs: [
        ...definitions.subgraphs,
        {
          id: OUTER,
          name: 'Outer',
          version: 1,
          inputs: [{ name: 'image', type: 'IMAGE', linkIds: [1] }],
          outputs: [{ name: 'IMAGE', type: 'IMAGE', linkIds: [2] }],
          nodes: [
            node(5, SOFTEN, [0, 0], {
              title: 'Inner',
              inputs: [
                ['image', 1],
                ['*radius:INT', null],
              ],
              outputs: ['IMAGE'],
              values: [3],
            }),
          ],
          links: [
            { id: 1, origin_id: -10, origin_slot: 0, target_id: 5, target_slot: 0, type: 'IMAGE' },
            { id: 2, origin_id: 5, origin_slot: 0, target_id: -20, target_slot: 0, type: 'IMAGE' },
          ],
        },
      ],
    },
    version: 0.4,
  };
}

/** Many nodes in rows, each linked to the next. */
export function largeWorkflow(count: number): Json {
  const columns = 20;
  const place = (index: number): [number, number] => [
    (index % columns) * 320,
    Math.floor(index / columns) * 260,
  ];
  return {
    nodes: Array.from({ length: count }, (_, index) =>
      index === 0
        ? node(1, 'EmptyImage', place(0), { outputs: ['IMAGE'], values: [8, 8, 1, 0], title: 'Node 1' })
        : node(index + 1, index === count - 1 ? 'SaveImage' : 'TextOverlay', place(index), {
            title: `Node ${index + 1}`,
            inputs: [['images', index]],
            outputs: index === count - 1 ? [] : ['IMAGE'],
            values: index === count - 1 ? ['large'] : ['text', 12, '#ffffff', 'bottom', 'center', false],
            size: [260, 210],
          }),
    ),
    links: Array.from({ length: count - 1 }, (_, index) => [index + 1, index + 1, 0, index + 2, 0, 'IMAGE']),
    groups: [],
    version: 0.4,
  };
}
