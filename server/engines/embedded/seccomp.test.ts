import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seccompFilter } from './seccomp.ts'

const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 }
const ALLOWED = 'allow'
const RESULTS: Record<number, string> = {
  2147418112: ALLOWED,
  2147483648: 'kill',
  327681: 'EPERM',
  327718: 'ENOSYS',
}

/** Runs the program as the kernel would. */
function run(
  filter: Buffer,
  architecture: number,
  call: number,
  ...[first = 0, second = 0]: number[]
): string | undefined {
  const data: Record<number, number> = { 0: call, 4: architecture, 16: first, 24: second }
  let accumulator = 0
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4)
    const jump = (holds: boolean) => {
      at += 8 * filter.readUInt8(at + (holds ? 2 : 3))
    }
    const code = filter.readUInt16LE(at)
    if (code === 0x20) accumulator = data[value] ?? Number.NaN
    else if (code === 0x15) jump(accumulator === value)
    else if (code === 0x35) jump(accumulator >= value)
    else if (code === 0x45) jump((accumulator & value) !== 0)
    else if (code === 0x06) return RESULTS[value]
    else throw new Error(`unknown instruction ${code}`)
  }
  throw new Error('the program has no end')
}

/** Of calls on x64 and arm64. */
const DENIED = {
  ptrace: [101, 117],
  kill: [62, 129],
  socket: [41, 198],
  bpf: [321, 280],
  unshare: [272, 97],
  mount: [165, 40],
  io_uring_setup: [425, 425],
  setpriority: [141, 140],
  sched_setattr: [314, 274],
  truncate: [76, 45],
  fchmodat: [268, 53],
  fchownat: [260, 54],
  utimensat: [280, 88],
  fsetxattr: [190, 7],
  shmget: [29, 194],
  semtimedop: [220, 192],
  mq_open: [240, 180],
}
const NEEDED = {
  read: [0, 63],
  write: [1, 64],
  mmap: [9, 222],
  futex: [202, 98],
  execve: [59, 221],
  prlimit64: [302, 261],
  openat: [257, 56],
}
const CLONE = { x64: 56, arm64: 220 }
/** As a thread is created, and with namespaces. */
const THREAD = 0x003d0f00
const NAMESPACES = [0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000]

for (const [index, [name, architecture]] of Object.entries(ARCHITECTURES).entries()) {
  describe(`the filter for ${name}`, () => {
    const filter = seccompFilter(name) as Buffer
    for (const [call, numbers] of Object.entries(DENIED))
      test(`denies ${call}`, () => assert.equal(run(filter, architecture, numbers[index] ?? -1), 'EPERM'))
    for (const [call, numbers] of Object.entries(NEEDED))
      test(`allows ${call}`, () => assert.equal(run(filter, architecture, numbers[index] ?? -1), ALLOWED))
    test('allows a thread, but no new namespace', () => {
      const clone = CLONE[name as keyof typeof CLONE]
      assert.equal(run(filter, architecture, clone, THREAD), ALLOWED)
      for (const flag of NAMESPACES) assert.equal(run(filter, architecture, clone, THREAD | flag), 'EPERM')
      assert.equal(run(filter, architecture, 435), 'ENOSYS', 'clone3')
    })
    test('allows limits of the own process, but of no other', () => {
      const prlimit = index === 0 ? 302 : 261
      assert.equal(run(filter, architecture, prlimit, 0, 7), ALLOWED)
      for (const pid of [1, 4_194_304, 0xffffffff]) assert.equal(run(filter, architecture, prlimit, pid, 7), 'EPERM')
    })
    test('allows fcntl and ioctl, but not to have the kernel send signals or type into a terminal', () => {
      const [fcntl, ioctl] = index === 0 ? [72, 16] : [25, 29]
      for (const command of [1, 2, 3, 4, 7, 9, 1030])
        assert.equal(run(filter, architecture, fcntl, 3, command), ALLOWED)
      for (const command of [8, 10, 15]) assert.equal(run(filter, architecture, fcntl, 3, command), 'EPERM')
      for (const command of [0x5421, 0x5413]) assert.equal(run(filter, architecture, ioctl, 3, command), ALLOWED)
      for (const command of [0x8901, 0x8902, 0x5412])
        assert.equal(run(filter, architecture, ioctl, 3, command), 'EPERM')
    })
    test('allows signals where there is no other process', () => {
      const alone = seccompFilter(name, true) as Buffer
      assert.equal(run(alone, architecture, DENIED.kill[index] ?? -1), ALLOWED)
      assert.equal(run(alone, architecture, DENIED.ptrace[index] ?? -1), 'EPERM')
    })
    test('ends a program of another architecture', () => {
      for (const other of [0x40000003, 0x40000028, 0xc0000016]) assert.equal(run(filter, other, 0), 'kill')
    })
  })
}

test('denies the third interface of x64, and is unknown for other architectures', () => {
  const filter = seccompFilter('x64') as Buffer
  assert.equal(run(filter, ARCHITECTURES.x64, 0x40000000 + 1), 'EPERM')
  assert.equal(seccompFilter('riscv64'), null)
})
