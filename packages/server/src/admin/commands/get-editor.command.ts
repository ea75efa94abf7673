import { fetchEditor } from '../../editor/fetch-editor.ts';
import { EDITOR, editorFolder } from '../../editor/pinned-editor.ts';
import { parseAllowList } from '../../platform/net/allow-list.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import { type AdminCommand, BadUse, say } from '../command.ts';

export const command: AdminCommand = {
  usage: '',
  help: `Fetches the stock editor of ComfyUI (${EDITOR.wheel}, GPL-3.0, by Comfy Org) into the data folder, where the server finds it at once.
ATELIER_EDITOR_INDEX_URL names the Python package index that has it.`,
  async run({ args, readConfig }) {
    if (args.length > 0) throw new BadUse();
    const { dataFolder, editor, outbound: settings } = readConfig();
    const allow = [...settings.allow, new URL(editor.indexUrl).host];
    const outbound = createOutbound({ allow: parseAllowList(allow).allow });
    const folder = editorFolder(dataFolder);
    say(`Fetching ${EDITOR.wheel} (GPL-3.0, by Comfy Org) from ${editor.indexUrl} …`);
    const files = await fetchEditor({ outbound, indexUrl: editor.indexUrl, folder, editor: EDITOR });
    say(`${files} files are in ${folder}. The server has the editor at /editor/.`);
  },
};
