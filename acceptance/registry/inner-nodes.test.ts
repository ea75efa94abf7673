import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { packOf } from '../support/registry-archives.ts';
import {
  assertNoNull,
  eventually,
  newName,
  newStudio,
  publish,
  publishActive,
  publishArchive,
  publishFlagged,
  type Studio,
} from '../support/registry-publishing.ts';
import { type NodePage, type PackNode, STATUS } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

interface InnerNode {
  readonly comfy_node_name: string;
  readonly category?: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly experimental: boolean;
  readonly function?: string;
  readonly input_types?: string;
  readonly return_names?: string;
  readonly return_types?: string;
  readonly output_is_list?: readonly boolean[];
  readonly policy: string;
}
interface InnerPage {
  readonly comfy_nodes: readonly InnerNode[];
  readonly totalNumberOfPages: number;
  readonly total: number;
}

/** Two classes, one with everything written out and one with as little as possible. */
const SOURCE = `from .helpers import computed


class Scale:
    DESCRIPTION = "Scales a picture."
    CATEGORY = "studio/scale"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE", "MASK")
    RETURN_NAMES = ("picture", "mask")
    OUTPUT_IS_LIST = (False, True)
    DEPRECATED = True
    EXPERIMENTAL = True

    @classmethod
    def INPUT_TYPES(s):
        return {
            "required": {
                "image": ("IMAGE",),
                "steps": ("INT", {"default": 20, "min": 1, "max": 100}),
                "mode": (["fast", "good"],),
            },
        }

    def run(self, image, steps, mode):
        return (image, None)


class Bare:
    RETURN_TYPES = computed()

    def run(self):
        pass


NODE_CLASS_MAPPINGS = {"Studio Scale": Scale, "Bare": Bare}
`;

onAnyEngine('inner nodes', (server) => {
  let studio: Studio;
  let id: string;
  before(async () => {
    studio = await newStudio(server.current);
    id = newName('pack');
    const archive = packOf({
      '__init__.py': SOURCE,
      'helpers.py': 'import os\n\n\ndef computed():\n    return tuple(os.listdir())\n',
    });
    const version = await publishArchive(server.current, studio, id, archive);
    assert.equal(version.status, STATUS.active, JSON.stringify(version));
  });
  const anyone = () => client(server.current.url);
  const newInner = () => `Inner${newName('').replaceAll('-', '')}`;
  const find = async (query: string) =>
    (await anyone().get<{ comfy_nodes: InnerNode[]; total: number }>(`/comfy-nodes?${query}`)).body;
  const names = ({ comfy_nodes: nodes }: { comfy_nodes: readonly InnerNode[] }) =>
    nodes.map((node) => node.comfy_node_name);

  test('[REG-132] what is written literally is read from the sources', async () => {
    const { status, body } = await anyone().get<InnerPage>(`/nodes/${id}/versions/1.0.0/comfy-nodes`);
    assert.equal(status, 200);
    assertNoNull(body);
    assert.deepEqual(names(body).toSorted(), ['Bare', 'Studio Scale']);
    const scale = body.comfy_nodes.find((node) => node.comfy_node_name === 'Studio Scale');
    assert.ok(scale);
    const { input_types: inputs, return_names: outNames, return_types: outTypes, ...rest } = scale;
    assert.deepEqual(rest, {
      comfy_node_name: 'Studio Scale',
      category: 'studio/scale',
      description: 'Scales a picture.',
      function: 'run',
      deprecated: true,
      experimental: true,
      output_is_list: [false, true],
      policy: 'ComfyNodePolicyActive',
    });
    assert.deepEqual(JSON.parse(inputs ?? ''), {
      required: {
        image: ['IMAGE'],
        steps: ['INT', { default: 20, min: 1, max: 100 }],
        mode: [['fast', 'good']],
      },
    });
    assert.deepEqual(JSON.parse(outTypes ?? ''), ['IMAGE', 'MASK']);
    assert.deepEqual(JSON.parse(outNames ?? ''), ['picture', 'mask']);
  });

  test('[REG-132] [REG-5] what is not written literally is left out', async () => {
    const { status, body } = await anyone().get<InnerNode>(`/nodes/${id}/versions/1.0.0/comfy-nodes/Bare`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      comfy_node_name: 'Bare',
      deprecated: false,
      experimental: false,
      policy: 'ComfyNodePolicyActive',
    });
  });

  const nodesOf = async (files: Readonly<Record<string, string>>) => {
    const pack = newName('pack');
    const version = await publishArchive(server.current, studio, pack, packOf(files));
    const path = `/nodes/${pack}/versions/1.0.0/comfy-nodes?limit=100`;
    const { body } = await anyone().get<InnerPage>(path);
    return { version, nodes: body.comfy_nodes };
  };

  test('[REG-163] inputs are listed in full or not at all', async () => {
    const inputs = async (body: string) => {
      const lines = body.split('\n').map((line) => `        ${line}`);
      const source = ['class A:', '    @classmethod', '    def INPUT_TYPES(s):', ...lines];
      const { nodes } = await nodesOf({
        '__init__.py': `${source.join('\n')}\nNODE_CLASS_MAPPINGS = {"A": A}\n`,
      });
      assert.equal(nodes.length, 1);
      return nodes[0]?.input_types && JSON.parse(nodes[0].input_types);
    };
    assert.deepEqual(
      await inputs(
        'd = {"required": {"a": ("INT",)}}\nfor i in range(2): d["required"][f"img{i}"] = ("IMAGE",)\nd["optional"] = {"b": ("INT",)}\nd["required"].update({"c": ("INT",)})\nreturn d',
      ),
      {
        required: { a: ['INT'], img0: ['IMAGE'], img1: ['IMAGE'], c: ['INT'] },
        optional: { b: ['INT'] },
      },
    );
    assert.equal(
      await inputs('d = {"required": {"a": ("INT",)}}\nd["required"].update(more())\nreturn d'),
      undefined,
    );
  });

  test('[REG-164] [REG-72] names that are made by functions, decorators and loops are read', async () => {
    const { version, nodes } = await nodesOf({
      '__init__.py': [
        'class A: CATEGORY = "a"',
        'CONFIG = {"X": {"class": A, "name": "The X"}}',
        'def generate(config):',
        '    classes, names = {}, {}',
        '    for key, info in config.items():',
        '        classes[key] = info["class"]',
        '        names[key] = info["name"]',
        '    return classes, names',
        'NODE_CLASS_MAPPINGS, NODE_DISPLAY_NAME_MAPPINGS = generate(CONFIG)',
        'def register(name):',
        '    def wrap(cls):',
        '        NODE_CLASS_MAPPINGS[name] = cls',
        '        return cls',
        '    return wrap',
        '@register("Text Join")',
        'class B: RETURN_TYPES = "STRING",',
        'NODE_CLASS_MAPPINGS.update(dict(zip(["Y", "Z"], [A, A])))',
        'del NODE_CLASS_MAPPINGS["Z"]',
      ].join('\n'),
    });
    assert.equal(version.node_extract_status, 'success');
    assert.deepEqual(
      nodes.map((node) => [node.comfy_node_name, node.category, node.return_types]),
      [
        ['Text Join', undefined, '["STRING"]'],
        ['X', 'a', undefined],
        ['Y', 'a', undefined],
      ],
    );
  });

  test('[REG-164] only what the root module exports is listed', async () => {
    const { nodes } = await nodesOf({
      '__init__.py': 'from .nodes import NODE_CLASS_MAPPINGS\n',
      'nodes.py': 'class A: pass\nNODE_CLASS_MAPPINGS = {"A": A}\n',
      'legacy.py': 'NODE_CLASS_MAPPINGS = {"Old": None}\n',
      'tests/test_nodes.py': 'NODE_CLASS_MAPPINGS = {"Test": None}\n',
    });
    assert.deepEqual(
      nodes.map((node) => node.comfy_node_name),
      ['A'],
    );
  });

  test('[REG-165] [REG-72] where nodes may be missing, the extraction has failed and the reason says why', async () => {
    for (const [source, why] of [
      ['NODE_CLASS_MAPPINGS = {"A": None, **find()}\n', /"__init__\.py".*NODE_CLASS_MAPPINGS/],
      ['NODE_CLASS_MAPPINGS = {"A": None}\ndef (:\n', /"__init__\.py" is not quite Python/],
    ] as const) {
      const { version, nodes } = await nodesOf({ '__init__.py': source });
      assert.equal(version.status, STATUS.active, JSON.stringify(version));
      assert.equal(version.node_extract_status, 'failed');
      assert.equal(version.comfy_node_extract_status, 'failed');
      assert.match(version.status_reason ?? '', why);
      assert.deepEqual(
        nodes.map((node) => node.comfy_node_name),
        ['A'],
      );
    }
  });

  test('[REG-131] the inner nodes of a version come page by page', async () => {
    const many = newName('pack');
    const innerNodes = Array.from({ length: 23 }, (_, index) => `Node${String(index).padStart(2, '0')}`);
    await publishActive(server.current, studio, many, { innerNodes });
    const page = async (query: string) =>
      (await anyone().get<InnerPage>(`/nodes/${many}/versions/1.0.0/comfy-nodes${query}`)).body;
    const first = await page('');
    assert.deepEqual([first.comfy_nodes.length, first.totalNumberOfPages], [10, 3]);
    const all = [first, await page('?page=2'), await page('?page=3')].flatMap(names);
    assert.deepEqual(all, innerNodes);
    assert.equal((await page('?limit=500')).totalNumberOfPages, 1);
    assert.deepEqual((await page('?page=9')).comfy_nodes, []);
    assert.equal((await page('?page=0&limit=0')).comfy_nodes.length, 10);
    const wrong = await anyone().get(`/nodes/${many}/versions/1.0.0/comfy-nodes?limit=x`);
    assert.equal(wrong.status, 400);
  });

  test('[REG-131] a version without inner nodes has an empty list; an unknown one gets 404', async () => {
    const empty = newName('pack');
    await publishActive(server.current, studio, empty);
    await publish(server.current, studio, empty, { version: '2.0.0' });
    for (const version of ['1.0.0', '2.0.0']) {
      const path = `/nodes/${empty}/versions/${version}/comfy-nodes`;
      const { status, body } = await anyone().get<InnerPage>(path);
      assert.equal(status, 200);
      assert.deepEqual(body.comfy_nodes, []);
      assert.equal(body.totalNumberOfPages, 0);
    }
    for (const path of [
      `/nodes/${empty}/versions/9.9.9/comfy-nodes`,
      `/nodes/${newName()}/versions/1.0.0/comfy-nodes`,
    ]) {
      const { status, body } = await anyone().get(path);
      assert.equal(status, 404);
      assertShape(body, 'error');
    }
  });

  test('[REG-133] one inner node is read by its name', async () => {
    const path = `/nodes/${id}/versions/1.0.0/comfy-nodes`;
    const { status, body } = await anyone().get<InnerNode>(`${path}/Studio%20Scale`);
    assert.equal(status, 200);
    assert.equal(body.comfy_node_name, 'Studio Scale');
    for (const name of ['scale', 'Studio', '%25', newName()]) {
      const missing = await anyone().get(`${path}/${name}`);
      assert.equal(missing.status, 404, name);
      assertShape(missing.body, 'error');
    }
  });

  test('[REG-134] inner nodes are found over all nodes, of their latest versions', async () => {
    const pack = newName('pack');
    const [old, kept, added] = [newInner(), newInner(), newInner()];
    await publishActive(server.current, studio, pack, { innerNodes: [old, kept] });
    await publishActive(server.current, studio, pack, { version: '2.0.0', innerNodes: [kept, added] });
    await publishFlagged(server.current, studio, pack, { version: '3.0.0' });
    const latest = await find(`node_id=${pack}`);
    assert.deepEqual(names(latest).toSorted(), [kept, added].toSorted());
    assert.equal(latest.total, 2);
    for (const number of ['1.0.0', '1.0', 'v1.0.0']) {
      const of = await find(`node_id=${pack}&node_version=${number}`);
      assert.deepEqual(names(of).toSorted(), [old, kept].toSorted(), number);
    }
    assert.equal((await find(`comfy_node_name=${kept}`)).total, 1);
    assert.equal((await find(`comfy_node_name=${old}`)).total, 0);
    assert.equal((await find(`comfy_node_name=${newInner()}`)).total, 0);
    const pages = [await find(`node_id=${pack}&pageSize=1`), await find(`node_id=${pack}&pageSize=1&page=2`)];
    assert.deepEqual(pages.flatMap(names).toSorted(), [kept, added].toSorted());
    assert.equal((await find(`node_id=${pack}&limit=500`)).comfy_nodes.length, 2);
    assert.equal((await anyone().get('/comfy-nodes?pageSize=x')).status, 400);
  });

  test('[REG-134] versions that are deleted are not found by their number', async () => {
    const pack = newName('pack');
    const inner = newInner();
    const version = await publishActive(server.current, studio, pack, { innerNodes: [inner] });
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${pack}/versions/${version.id}`);
    assert.equal((await find(`node_id=${pack}`)).total, 0);
    assert.equal((await find(`node_id=${pack}&node_version=1.0.0`)).total, 0);
  });

  test('[REG-135] [REG-122] the provider of an inner node: the claimant, then by ranking, then by downloads', async () => {
    const inner = newInner();
    const packs = [newName('pack'), newName('pack'), newName('pack')] as const;
    for (const pack of packs) await publishActive(server.current, studio, pack, { innerNodes: [inner] });
    const provider = async () => (await anyone().get<PackNode>(`/comfy-nodes/${inner}/node`)).body.id;
    const set = async (pack: string, changes: object) =>
      await admin(server.current).put(`/admin/nodes/${pack}`, changes);
    const searched = async () =>
      (await anyone().get<NodePage>(`/nodes/search?comfy_node_search=${inner}`)).body.nodes[0]?.id;

    await anyone().get(`/nodes/${packs[1]}/install`);
    await eventually('the more downloaded one', async () =>
      (await provider()) === packs[1] ? true : undefined,
    );
    await set(packs[2], { search_ranking: 1 });
    assert.equal(await provider(), packs[2]);
    assert.equal(await searched(), packs[2]);
    await set(packs[0], { preempted_comfy_node_names: [inner] });
    assert.equal(await provider(), packs[0]);
    assert.equal(await searched(), packs[0], 'a search by inner node has the same order');
  });

  test('[REG-135] an inner node that nobody provides gets 404', async () => {
    for (const name of [newInner(), 'Studio', '%2F', '%F0%9F%8E%89']) {
      const { status, body } = await anyone().get(`/comfy-nodes/${name}/node`);
      assert.equal(status, 404, name);
      assertShape(body, 'error');
    }
    const { body } = await anyone().get<PackNode>(`/comfy-nodes/Studio%20Scale/node`);
    assert.equal(body.id, id);
  });
});
