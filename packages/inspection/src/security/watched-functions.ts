import * as checks from './checks.ts';
import * as codeChecks from './code-checks.ts';
import { canonical } from './origins.ts';
import { CLONING, DECODING, NETWORK } from './sources.ts';

const WATCHED: readonly (readonly [check: checks.Check, ...names: readonly string[]])[] = [
  [
    checks.checkExecution,
    'builtins: exec eval compile execfile',
    'pandas: eval',
    'numexpr: evaluate',
    'sympy: sympify parse_expr',
    'sympy.parsing.sympy_parser: parse_expr eval_expr',
    'sympy.core.sympify: sympify',
    'IPython.get_ipython(): run_cell run_code ex ev',
    'builtins.get_ipython(): run_cell run_code ex ev',
  ],
  [
    checks.checkRunning,
    'runpy: run_path',
    'types: FunctionType CodeType',
    'code: InteractiveInterpreter InteractiveConsole',
  ],
  [
    codeChecks.checkCodeText,
    'timeit: timeit repeat Timer',
    'cProfile: run runctx',
    'profile: run runctx',
    'pdb: run runeval',
    'cProfile.Profile(): run runctx',
    'profile.Profile(): run runctx',
    'pdb.Pdb(): run runeval runctx',
    'bdb.Bdb(): run runeval runctx',
    'trace.Trace(): run runctx',
    'code.InteractiveInterpreter(): runsource runcode',
    'code.InteractiveConsole(): runsource runcode push',
  ],
  [codeChecks.checkConsole, 'code: interact'],
  [codeChecks.checkModuleRun, 'runpy: run_module _run_module_as_main'],
  [
    checks.checkImport,
    'builtins: __import__',
    'importlib: import_module __import__',
    'pkgutil: resolve_name',
    'pydoc: locate safeimport',
  ],
  ['object-sweep', 'gc: get_objects get_referrers get_referents'],
  [codeChecks.checkTcl, 'tkinter.Tcl(): eval call', 'tkinter.Tk(): eval', 'tkinter.Tk().tk: eval call'],
  [codeChecks.checkBrowser, 'webbrowser: get'],
  [
    checks.checkFileImport,
    'importlib.util: spec_from_file_location',
    'importlib.machinery: SourceFileLoader SourcelessFileLoader ExtensionFileLoader',
    'imp: load_source load_compiled load_dynamic load_module',
  ],
  [codeChecks.checkArchiveImport, 'zipimport: zipimporter'],
  [codeChecks.checkModulePath, 'sys.path: insert append extend __iadd__'],
  [codeChecks.checkSiteFolder, 'site: addsitedir'],
  [
    checks.checkProcess,
    'subprocess: run call check_call check_output Popen getoutput getstatusoutput',
    'os: system popen popen2 popen3 popen4 startfile posix_spawn posix_spawnp fork forkpty',
    'os: execl execle execlp execlpe execv execve execvp execvpe',
    'os: spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe',
    'asyncio: create_subprocess_exec create_subprocess_shell',
    'subprocess: create_subprocess_exec create_subprocess_shell _fork_exec',
    '_posixsubprocess: fork_exec',
    '_winapi: CreateProcess',
    'win32api: ShellExecute WinExec',
    'win32process: CreateProcess',
    'multiprocessing.util: spawnv_passfds',
    'distutils.spawn: spawn',
    'webbrowser: GenericBrowser BackgroundBrowser UnixBrowser Mozilla Chrome Chromium Opera Elinks Konqueror Edge',
    'invoke: run',
    'commands: getoutput getstatusoutput',
    'pexpect: spawn run',
    'numpy.distutils.exec_command: exec_command',
    'paramiko: ProxyCommand',
    'git.Git(): execute',
    'IPython.get_ipython(): system system_raw system_piped getoutput',
    'builtins.get_ipython(): system system_raw system_piped getoutput',
  ],
  [checks.checkTerminal, 'pty: spawn fork'],
  [
    checks.checkLoad,
    'pickle: load loads Unpickler',
    '_pickle: load loads Unpickler',
    'cPickle: load loads Unpickler',
    'dill: load loads',
    'cloudpickle: load loads',
    'joblib: load',
    'marshal: load loads',
    'shelve: open',
    'pandas: read_pickle',
    'jsonpickle: decode',
    'torch: load',
    'numpy: load',
    'yaml: load load_all unsafe_load unsafe_load_all full_load',
  ],
  [checks.checkHubLoad, 'torch.hub: load'],
  [checks.checkSocket, 'socket: socket create_connection create_server'],
  [checks.checkDuplicate, 'os: dup2'],
  [checks.checkPermission, 'os: chmod'],
  ['environment-sweep', 'os.environ: items values'],
  [
    'secret-files',
    'browser_cookie3: chrome firefox edge opera brave safari load chromium',
    'win32crypt: CryptUnprotectData',
    'keyring: get_password get_credential',
  ],
  [checks.checkOpen, 'builtins: open', 'io: open', 'codecs: open'],
  [
    checks.checkFileChange,
    'os: remove unlink rmdir removedirs rename renames replace symlink link',
    'shutil: rmtree move copy copy2 copyfile copytree',
  ],
  [
    'native-code',
    'ctypes: CDLL PyDLL WinDLL OleDLL',
    'ctypes.cdll: LoadLibrary',
    'cffi.FFI(): dlopen verify compile',
    'torch.ops: load_library',
    'torch.utils.cpp_extension: load load_inline',
  ],
  [checks.checkAttribute, 'builtins: getattr'],
];

const DOTTED = /^[a-z_]\w*(?:[.:]\w+)+$/i;
const MAX_NAME_LENGTH = 100;

const CHECKS = new Map(
  WATCHED.flatMap(([check, ...lists]) =>
    lists.flatMap((list) => {
      const [module = '', names = ''] = list.split(': ');
      return names.split(' ').map((name): [string, checks.Check[]] => [`${module}.${name}`, [check]]);
    }),
  ),
);

/** Everything that the installing commands call, but not what only describes packages. */
const INSTALLING =
  /^pip\.(?:main$|__main__|_internal\.(?:main$|main\.|cli\.|commands\.|req\.))|^ensurepip\.(?!version$)|^(?:setuptools\.command\.)?easy_install\.|^setuptools\.sandbox\.|^distutils\.core\.run_setup$|^micropip\.install$/;

const RUNNERS = new Set<checks.Check>([
  checks.checkExecution,
  checks.checkRunning,
  checks.checkProcess,
  checks.checkTerminal,
  checks.checkImport,
  checks.checkFileImport,
  codeChecks.checkModuleRun,
  'native-code',
  'package-install',
]);

/** Whether a text is the dotted name of a function that runs something: `os.system`, `os:system`. */
export function namesRunner(text: string): boolean {
  if (text.length > MAX_NAME_LENGTH || !DOTTED.test(text)) return false;
  return checksFor(canonical(text.replace(':', '.'))).some((check) => RUNNERS.has(check));
}

export function checksFor(origin: string): readonly checks.Check[] {
  const own = CHECKS.get(origin) ?? [];
  if (INSTALLING.test(origin)) return ['package-install'];
  if (CLONING.test(origin)) return ['download-and-run'];
  if (origin.endsWith('.?')) return checks.DANGEROUS_MODULES.has(origin.slice(0, -2)) ? ['hidden-call'] : [];
  if (DECODING.test(origin)) return [...own, checks.checkDecoding];
  if (NETWORK.test(origin)) return [...own, checks.checkRequest];
  return origin.startsWith('ctypes.windll.') ? [checks.checkWindows] : own;
}
