/** A filter of system calls for workers: a program for the kernel, in its classic BPF, that denies what Node never needs. */

/** The kernel's number of the architecture, and the numbers of the calls below, in that order; null where there is no such call. */
const ARCHITECTURES: Record<string, { audit: number; column: 0 | 1 }> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
}

/** Numbers on x64 and arm64, from the kernel's headers. */
const DENIED: Record<string, [number | null, number | null]> = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
  setpriority: [141, 140],
  ioprio_set: [251, 30],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  // Memory and queues that processes of the same user share.
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  // Calls that Landlock does not cover: rights, owners, times and attributes of files by their path, and before Linux 6.2 their length.
  truncate: [76, 45],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, null],
  lchown: [94, null],
  fchown: [93, 55],
  fchownat: [260, 54],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  setxattrat: [463, 463],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  removexattrat: [466, 466],
  file_setattr: [469, 469],
  // Parts of the kernel in which most vulnerabilities were found.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  socket: [41, 198],
  // Namespaces and mounts.
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // The machine.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
}
/** A program ends itself by them. Where it sees no process but its own, they reach no other one. */
const SIGNALS: Record<string, [number, number]> = { kill: [62, 129], tkill: [200, 130], tgkill: [234, 131] }
/** Its flags are in memory, which a filter cannot read. Without it, libraries use `clone`. */
const CLONE3 = 435
/** Calls of the third interface of x64 have this bit. */
const X32 = 0x40000000

/** Offsets in the data of a call; of arguments, the lower half. */
const AT = { number: 0, architecture: 4, firstArgument: 16, secondArgument: 24 }
const LOAD = 0x20
const JUMP_IF = { equal: 0x15, atLeast: 0x35, anyBit: 0x45 }
const RETURN = 0x06
const RESULT = { allow: 0x7fff0000, kill: 0x80000000, notPermitted: 0x00050001, notImplemented: 0x00050026 }

/** Calls that are needed, but not with these arguments. */
const GUARDED: { numbers: [number, number]; argument: number; condition: number; denied: readonly number[] }[] = [
  // `clone` with a flag that creates a namespace.
  { numbers: [56, 220], argument: AT.firstArgument, condition: JUMP_IF.anyBit, denied: [0x7e020000] },
  // `prlimit64` of any process but the own, which is 0: a limit of CPU time ends the service.
  { numbers: [302, 261], argument: AT.firstArgument, condition: JUMP_IF.anyBit, denied: [0xffffffff] },
  // `fcntl` with F_SETOWN, F_SETSIG and F_SETOWN_EX: the kernel would send the signal.
  { numbers: [72, 25], argument: AT.secondArgument, condition: JUMP_IF.equal, denied: [8, 10, 15] },
  // `ioctl` with FIOSETOWN and SIOCSPGRP, likewise, and with TIOCSTI, which types into a terminal.
  { numbers: [16, 29], argument: AT.secondArgument, condition: JUMP_IF.equal, denied: [0x8901, 0x8902, 0x5412] },
]

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number]

const load = (at: number): Instruction => [LOAD, 0, 0, at]
const end = (result: number): Instruction => [RETURN, 0, 0, result]
/** Ends with the result if the condition holds, and goes on otherwise. */
const endIf = (condition: number, value: number, result: number): Instruction[] => [
  [condition, 0, 1, value],
  end(result),
]

/** Decides about this call; any other goes on behind it. */
function guard(number: number, { argument, condition, denied }: (typeof GUARDED)[number]): Instruction[] {
  const decision = [
    load(argument),
    ...denied.flatMap((value) => endIf(condition, value, RESULT.notPermitted)),
    end(RESULT.allow),
  ]
  return [[JUMP_IF.equal, 0, decision.length, number], ...decision]
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  }
  return bytes
}

/** `isAlone`: in a process namespace of its own. Null for an architecture whose numbers are not known. */
export function seccompFilter(architecture: string = process.arch, isAlone = false): Buffer | null {
  const { audit, column } = ARCHITECTURES[architecture] ?? {}
  if (audit === undefined || column === undefined) return null
  const calls = { ...DENIED, ...(isAlone ? {} : SIGNALS) }
  const denied = Object.values(calls).flatMap((numbers) => numbers[column] ?? [])
  return encode([
    load(AT.architecture),
    [JUMP_IF.equal, 1, 0, audit],
    end(RESULT.kill),
    load(AT.number),
    ...(architecture === 'x64' ? endIf(JUMP_IF.atLeast, X32, RESULT.notPermitted) : []),
    ...endIf(JUMP_IF.equal, CLONE3, RESULT.notImplemented),
    ...denied.flatMap((number) => endIf(JUMP_IF.equal, number, RESULT.notPermitted)),
    ...GUARDED.flatMap((each) => guard(each.numbers[column], each)),
    end(RESULT.allow),
  ])
}
