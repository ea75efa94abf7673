import {
  DANGEROUS_MODULES,
  type Judge,
  judgeAttribute,
  judgeDecoding,
  judgeDuplicate,
  judgeEnvironment,
  judgeExecution,
  judgeFileChange,
  judgeFileImport,
  judgeHubLoad,
  judgeImport,
  judgeInstall,
  judgeLoad,
  judgeNative,
  judgeOpen,
  judgePermission,
  judgeProcess,
  judgeRequest,
  judgeRunning,
  judgeSecret,
  judgeSocket,
  judgeTerminal,
  judgeWindows,
} from './judges.ts';
import {
  judgeArchiveImport,
  judgeBrowser,
  judgeClone,
  judgeCodeText,
  judgeComputedName,
  judgeConsole,
  judgeModulePath,
  judgeModuleRun,
  judgeObjects,
  judgeSiteFolder,
  judgeTcl,
} from './judges-of-code.ts';
import { canonical } from './origins.ts';
import { isCloning, isDecoding, isNetwork } from './sources.ts';

/** Functions by where they come from, as `module: names`, and who decides about their uses. */
const WATCHED: readonly (readonly [judge: Judge, ...names: readonly string[]])[] = [
  [
    judgeExecution,
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
    judgeRunning,
    'runpy: run_path',
    'types: FunctionType CodeType',
    'code: InteractiveInterpreter InteractiveConsole',
  ],
  [
    judgeCodeText,
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
  [judgeConsole, 'code: interact'],
  [judgeModuleRun, 'runpy: run_module _run_module_as_main'],
  [
    judgeImport,
    'builtins: __import__',
    'importlib: import_module __import__',
    'pkgutil: resolve_name',
    'pydoc: locate safeimport',
  ],
  [judgeObjects, 'gc: get_objects get_referrers get_referents'],
  [judgeTcl, 'tkinter.Tcl(): eval call', 'tkinter.Tk(): eval', 'tkinter.Tk().tk: eval call'],
  [judgeBrowser, 'webbrowser: get'],
  [
    judgeFileImport,
    'importlib.util: spec_from_file_location',
    'importlib.machinery: SourceFileLoader SourcelessFileLoader ExtensionFileLoader',
    'imp: load_source load_compiled load_dynamic load_module',
  ],
  [judgeArchiveImport, 'zipimport: zipimporter'],
  [judgeModulePath, 'sys.path: insert append extend __iadd__'],
  [judgeSiteFolder, 'site: addsitedir'],
  [
    judgeProcess,
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
  [judgeTerminal, 'pty: spawn fork'],
  [
    judgeLoad,
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
  [judgeHubLoad, 'torch.hub: load'],
  [judgeSocket, 'socket: socket create_connection create_server'],
  [judgeDuplicate, 'os: dup2'],
  [judgePermission, 'os: chmod'],
  [judgeEnvironment, 'os.environ: items values'],
  [
    judgeSecret,
    'browser_cookie3: chrome firefox edge opera brave safari load chromium',
    'win32crypt: CryptUnprotectData',
    'keyring: get_password get_credential',
  ],
  [judgeOpen, 'builtins: open', 'io: open', 'codecs: open'],
  [
    judgeFileChange,
    'os: remove unlink rmdir removedirs rename renames replace symlink link',
    'shutil: rmtree move copy copy2 copyfile copytree',
  ],
  [
    judgeNative,
    'ctypes: CDLL PyDLL WinDLL OleDLL',
    'ctypes.cdll: LoadLibrary',
    'cffi.FFI(): dlopen verify compile',
    'torch.ops: load_library',
    'torch.utils.cpp_extension: load load_inline',
  ],
  [judgeAttribute, 'builtins: getattr'],
];

const DOTTED = /^[a-z_]\w*(?:[.:]\w+)+$/i;
const LONGEST_NAME = 100;

const JUDGES = new Map(
  WATCHED.flatMap(([judge, ...lists]) =>
    lists.flatMap((list) => {
      const [module = '', names = ''] = list.split(': ');
      return names.split(' ').map((name): [string, Judge[]] => [`${module}.${name}`, [judge]]);
    }),
  ),
);

/** What installs packages: all of what is behind the commands, and not what only tells about packages. */
const INSTALLING =
  /^pip\.(?:main$|__main__|_internal\.(?:main$|main\.|cli\.|commands\.|req\.))|^ensurepip\.(?!version$)|^(?:setuptools\.command\.)?easy_install\.|^setuptools\.sandbox\.|^distutils\.core\.run_setup$|^micropip\.install$/;

const RUNNERS = new Set([
  judgeExecution,
  judgeRunning,
  judgeProcess,
  judgeTerminal,
  judgeImport,
  judgeFileImport,
  judgeModuleRun,
  judgeNative,
  judgeInstall,
]);

/** Whether a text is the dotted name of a function that runs something: `os.system`, `os:system`. */
export function namesRunner(text: string): boolean {
  if (text.length > LONGEST_NAME || !DOTTED.test(text)) return false;
  return judgesOf(canonical(text.replace(':', '.'))).some((judge) => RUNNERS.has(judge));
}

/** Who decides about uses of a function; nobody for most. */
export function judgesOf(origin: string): readonly Judge[] {
  const own = JUDGES.get(origin) ?? [];
  if (INSTALLING.test(origin)) return [judgeInstall];
  if (isCloning(origin)) return [judgeClone];
  if (origin.endsWith('.?')) return DANGEROUS_MODULES.has(origin.slice(0, -2)) ? [judgeComputedName] : [];
  if (isDecoding(origin)) return [...own, judgeDecoding];
  if (isNetwork(origin)) return [...own, judgeRequest];
  return origin.startsWith('ctypes.windll.') ? [judgeWindows] : own;
}
