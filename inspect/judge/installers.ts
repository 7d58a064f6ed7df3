/** Addresses of installers that makers of tools tell everyone to run. */

/** Servers and folders whose files all come from the maker. */
const FOLDERS = [
  ...['get.scoop.sh', 'get.docker.com', 'sh.rustup.rs', 'win.rustup.rs', 'deb.nodesource.com', 'rpm.nodesource.com'],
  ...['get.k3s.io', 'get.helm.sh', 'deno.land/x/install', 'install.python-poetry.org', 'astral.sh', 'get.pnpm.io'],
  ...['get.sdkman.io', 'get.volta.sh', 'dot.net/v1', 'dotnet.microsoft.com', 'aka.ms', 'get-ghcup.haskell.org'],
  ...['install.julialang.org', 'raw.githubusercontent.com/Homebrew', 'raw.githubusercontent.com/nvm-sh'],
  ...['raw.githubusercontent.com/ohmyzsh', 'raw.githubusercontent.com/helm', 'raw.githubusercontent.com/pyenv'],
  ...['download.microsoft.com', 'packages.microsoft.com', 'dl.google.com', 'download.mozilla.org'],
]
/** Servers where it is the file `install`, with or without the extension of a script. */
const SERVERS = [
  ...['community.chocolatey.org', 'chocolatey.org', 'bun.sh', 'bun.com', 'deno.land', 'starship.rs', 'ollama.com'],
  'tailscale.com',
]

const either = (texts: readonly string[]): string => `(?:${texts.join('|').replaceAll('.', '\\.')})`

/** Leaves the folder. */
const UP = String.raw`[^\s"'<>|)]*(?:\.\.|%2e)`
/**
 * More text would name another server or file: `get.scoop.sh.example.com`, `get.scoop.sh@example.com`. A shell joins a text
 * in quotes to the next, and other signs may belong to the name of a user, which ends at `@`.
 */
const END = String.raw`[/?#\s]|$|["'\x60](?!\s*\+|[\w.@:%$\\-])|[)<>|;,&\]}](?![^\s"'/?#@]*@)`
const INSTALLER = new RegExp(
  `^https://(?!${UP})(?:${either(FOLDERS)}|${either(SERVERS)}/install(?:\\.(?:sh|ps1))?)(?:${END})`,
  'i',
)

const ADDRESS = /^https?:[\\/]/i
const ADDRESSES = /(?=https?:[\\/])/i

/** Every address in the text is one of them, and there is one. */
export function isInstallerOnly(text: string): boolean {
  const addresses = text.split(ADDRESSES).filter((each) => ADDRESS.test(each))
  return addresses.length > 0 && addresses.every((each) => INSTALLER.test(each))
}
