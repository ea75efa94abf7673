import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { inspectPack } from '../test/make-pack.ts';

/** As packs are written by people who mean well: none of it may stop one. */
const PLAIN_ENCODINGS: readonly [what: string, source: string][] = [
  [
    'loads its nodes',
    'import importlib\nimport os\n\nfor name in ("a", "b"):\n    module = importlib.import_module(f".{name}", __package__)\n    NODE_CLASS_MAPPINGS.update(getattr(module, "NODE_CLASS_MAPPINGS", {}))\n',
  ],
  [
    'puts its folder on the path',
    'import os\nimport sys\n\nhere = os.path.dirname(os.path.realpath(__file__))\nif here not in sys.path:\n    sys.path.insert(0, here)\n',
  ],
  [
    'changes the environment',
    'import os\n\nenv = os.environ\nenv.setdefault("PYTORCH_ENABLE_MPS_FALLBACK", "1")\ndef f(environ=os.environ, sep=os.sep): return environ.get("HF_HOME")\n',
  ],
  [
    'takes functions of paths as values',
    'import os\n\nexists = os.path.exists\nnames = list(map(os.path.basename, files))\nnewest = max(files, key=os.path.getmtime)\nNODE = {"join": os.path.join, "listdir": os.listdir}\n',
  ],
  [
    'asks what the system has',
    'import os\nimport sys\n\nif hasattr(os, "sched_getaffinity"):\n    n = len(os.sched_getaffinity(0))\nelse:\n    n = getattr(os, "cpu_count", lambda: 1)()\nis_frozen = getattr(sys, "frozen", False)\n',
  ],
  [
    'names types',
    'import os\nimport subprocess\nfrom typing import Optional, Union\n\nPathLike = Union[str, os.PathLike]\n\nclass Job:\n    process: Optional[subprocess.Popen] = None\n    def set(self, process: subprocess.Popen) -> None:\n        if isinstance(process, subprocess.Popen): self.process = process\n',
  ],
  [
    'refers to itself',
    'import sys\n\nme = sys.modules[__name__]\nfor key, value in {"A": 1}.items():\n    setattr(me, key, value)\nsys.modules["alias_of_pack"] = me\n',
  ],
  [
    'has optional parts',
    'try:\n    import ctypes\nexcept ImportError:\n    ctypes = None\n\ndef size(x):\n    return ctypes.sizeof(x) if ctypes is not None else 0\n\nif not ctypes:\n    print("no ctypes")\n',
  ],
  [
    'cleans its names up',
    'import os\nimport importlib.util\n\nHAS = importlib.util.find_spec("cv2") is not None\nROOT = os.path.abspath(".")\ndel os, importlib\n',
  ],
  [
    'looks for a tool',
    'import shutil\nimport folder_paths\n\nFFMPEG = shutil.which("ffmpeg")\nOUT = folder_paths.get_output_directory()\nclass A:\n    find = staticmethod(shutil.which)\n',
  ],
  [
    'finds classes',
    'import inspect\nimport sys\n\nNODES = dict(inspect.getmembers(sys.modules[__name__], inspect.isclass))\nloaded = [name for name in sys.modules if name.startswith("comfy")]\n',
  ],
  [
    'loads and reloads modules of others',
    'import importlib\nimport sys\n\ndef fresh(name):\n    module = sys.modules.get(name)\n    return importlib.reload(module) if module else None\n',
  ],
  [
    'downloads weights',
    'import os\nimport torch\nimport folder_paths\n\npath = os.path.join(folder_paths.models_dir, "sams", "sam_vit_b.pth")\ndef get(url):\n    torch.hub.download_url_to_file(url, path)\n    return path\n',
  ],
  [
    'uses processes of its own',
    'import multiprocessing as mp\nimport os\n\ndef work(q): q.put(os.getpid())\ndef run():\n    q = mp.Queue()\n    p = mp.Process(target=work, args=(q,))\n    p.start()\n    return q.get()\n',
  ],
  [
    'imports in a class body',
    'class Node:\n    import os\n    import sys\n    base = os.path.dirname(__file__)\n    def f(self): return self.os.path.join(self.base, self.sys.platform)\n',
  ],
  [
    'uses new and old syntax',
    'def f[T](x: T) -> T: return x\ntype Pair[T] = tuple[T, T]\nname = "x"\ntitle = t"Hello {name}"\nmatch name:\n    case "a" | "b": pass\n    case [first, *rest]: print(first, rest)\n',
  ],
  [
    'catches what may fail',
    'import subprocess\n\ndef f(run):\n    try:\n        return run()\n    except (subprocess.CalledProcessError, FileNotFoundError, OSError) as error:\n        return {"error": str(error), "pipe": subprocess.PIPE}\n',
  ],
  [
    'keeps its settings in a global',
    'config = None\n\ndef get():\n    global config\n    if config is None:\n        import json\n        config = json.load(open("config.json"))\n    return config\n',
  ],
];

describe('an honest pack', () => {
  for (const [what, source] of PLAIN_ENCODINGS) {
    it(`is clean that ${what}`, async () => {
      const { findings, verdict } = await inspectPack({
        '__init__.py': `${source}NODE_CLASS_MAPPINGS = {}\n`,
        'a.py': '',
        'b.py': '',
      });
      assert.deepEqual(
        findings.map(({ rule, line }) => [rule, line]),
        [],
      );
      assert.equal(verdict, 'clean');
    });
  }
});
