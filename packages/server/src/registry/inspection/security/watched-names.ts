import {
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
} from './judges.ts';
import { isDecoding, isNetwork } from './sources.ts';

/** Functions by where they come from, as `module: names`, and who decides about their uses. */
const WATCHED: readonly (readonly [judge: Judge, ...names: readonly string[]])[] = [
  [judgeExecution, 'builtins: exec eval compile execfile'],
  [
    judgeRunning,
    'runpy: run_path',
    'types: FunctionType CodeType',
    'code: InteractiveInterpreter InteractiveConsole',
  ],
  [judgeImport, 'builtins: __import__', 'importlib: import_module __import__'],
  [
    judgeFileImport,
    'importlib.util: spec_from_file_location',
    'importlib.machinery: SourceFileLoader SourcelessFileLoader ExtensionFileLoader',
    'imp: load_source load_compiled load_dynamic load_module',
    'zipimport: zipimporter',
  ],
  [
    judgeProcess,
    'subprocess: run call check_call check_output Popen getoutput getstatusoutput',
    'os: system popen popen2 popen3 popen4 startfile posix_spawn posix_spawnp',
    'os: execl execle execlp execlpe execv execve execvp execvpe',
    'os: spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe',
    'asyncio: create_subprocess_exec create_subprocess_shell',
    'asyncio.subprocess: create_subprocess_exec create_subprocess_shell',
    'commands: getoutput getstatusoutput',
    'pexpect: spawn run',
  ],
  [judgeTerminal, 'pty: spawn fork'],
  [
    judgeInstall,
    'pip: main',
    'pip._internal: main',
    'pip._internal.main: main',
    'pip._internal.cli.main: main',
    'ensurepip: bootstrap',
  ],
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
    'torch.ops: load_library',
    'torch.utils.cpp_extension: load load_inline',
  ],
  [judgeAttribute, 'builtins: getattr'],
];

const JUDGES = new Map(
  WATCHED.flatMap(([judge, ...lists]) =>
    lists.flatMap((list) => {
      const [module = '', names = ''] = list.split(': ');
      return names.split(' ').map((name): [string, Judge[]] => [`${module}.${name}`, [judge]]);
    }),
  ),
);

/** Who decides about uses of a function; nobody for most. */
export function judgesOf(origin: string): readonly Judge[] {
  const own = JUDGES.get(origin) ?? [];
  if (isDecoding(origin)) return [...own, judgeDecoding];
  if (isNetwork(origin)) return [...own, judgeRequest];
  return origin.startsWith('ctypes.windll.') ? [judgeNative] : own;
}
