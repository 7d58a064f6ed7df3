/**
 * Starts a program under Landlock and a filter of system calls, where bubblewrap is not usable. Node cannot make system
 * calls, so a short program in Perl does, which every Debian and Ubuntu has, also in their images.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { librariesOf } from './libraries.ts'
import { seccompFilter } from './seccomp.ts'

/** Rights of Landlock. */
const EXECUTE = 1
const READ_FILE = 4
const READ_DIR = 8

/** The number of the call `prctl`; those of Landlock are the same everywhere. */
const PRCTL: Partial<Record<NodeJS.Architecture, number>> = { x64: 157, arm64: 167 }

/**
 * Its arguments: the number of `prctl`, the filter in hexadecimal digits, rules as `rights:path`, `--`, and the command. It denies
 * whatever the kernel's version of Landlock knows; past the sixth also signals and abstract sockets.
 */
const LAUNCHER = `
my ($prctl, $hex, @rest) = @ARGV;
sub call { my $result = syscall($_[0], @_[1 .. $#_]); die "$_[0]: $!\\n" if $result < 0; $result }
call($prctl + 0, 1, 9, 0, 0, 0);
call($prctl + 0, 38, 1, 0, 0, 0);
my $version = call(444, 0, 0, 1);
my $files = $version >= 5 ? 0xffff : $version >= 3 ? 0x7fff : $version >= 2 ? 0x3fff : 0x1fff;
my $attributes = pack('Q*', $files, $version >= 4 ? 3 : (), $version >= 6 ? 3 : ());
my $set = call(444, $attributes, length($attributes), 0);
while (defined(my $rule = shift @rest)) {
  last if $rule eq '--';
  my ($rights, $path) = split(/:/, $rule, 2);
  sysopen(my $file, $path, 0x280000) or die "$path: $!\\n";
  my $beneath = pack('Ql', $rights, fileno($file));
  call(445, $set, 1, $beneath, 0);
}
call(446, $set, 0);
my $filter = pack('H*', $hex);
my $program = pack('Sx![P]P', length($filter) / 8, $filter);
call($prctl + 0, 22, 2, $program, 0, 0);
exec { $rest[0] } @rest or die "$rest[0]: $!\\n";
`

/** Null where the libraries of Node, or the numbers of its system calls, are not known. */
export function landlockArguments(
  perl: string,
  { file, read }: { file: string; read: readonly string[] },
): string[] | null {
  const [libraries, filter, prctl] = [librariesOf([process.execPath]), seccompFilter(), PRCTL[process.arch]]
  if (libraries === null || filter === null || prctl === undefined) return null
  const rule = (rights: number) => (each: string) => `${rights}:${path.resolve(each)}`
  const others = ['/dev/null', '/etc/ld.so.cache', ...packageFiles(file)].filter((each) => existsSync(each))
  return [
    ...[perl, '-e', LAUNCHER, String(prctl), filter.toString('hex')],
    ...[process.execPath, ...libraries].map(rule(EXECUTE | READ_FILE)),
    ...[file, ...read.filter((each) => !each.endsWith('/')), ...others].map(rule(READ_FILE)),
    // Node reads its own memory usage in `/proc/self`.
    ...['/proc/self', ...read.filter((each) => each.endsWith('/'))].map(rule(READ_FILE | READ_DIR)),
    '--',
  ]
}

/** Node looks for the type of a module in all of them, and does not start if it may not read one. */
function packageFiles(file: string): string[] {
  const folder = path.dirname(path.resolve(file))
  const own = path.join(folder, 'package.json')
  return folder === path.dirname(folder) ? [own] : [own, ...packageFiles(folder)]
}
