/** Addresses of installers that makers of tools tell everyone to run. */

const INSTALLERS = [
  ...['community.chocolatey.org/install.ps1', 'chocolatey.org/install.ps1', 'get.scoop.sh', 'get.docker.com'],
  ...['sh.rustup.rs', 'win.rustup.rs', 'deb.nodesource.com/', 'rpm.nodesource.com/', 'get.k3s.io', 'get.helm.sh'],
  ...['bun.sh/install', 'bun.com/install', 'deno.land/install', 'deno.land/x/install', 'install.python-poetry.org'],
  ...['astral.sh/', 'get.pnpm.io/', 'get.sdkman.io', 'starship.rs/install', 'get.volta.sh', 'ollama.com/install'],
  ...['tailscale.com/install', 'dot.net/v1/', 'dotnet.microsoft.com/', 'aka.ms/', 'get-ghcup.haskell.org'],
  ...['install.julialang.org', 'raw.githubusercontent.com/Homebrew/', 'raw.githubusercontent.com/nvm-sh/'],
  ...['raw.githubusercontent.com/ohmyzsh/', 'raw.githubusercontent.com/helm/', 'raw.githubusercontent.com/pyenv/'],
  ...['download.microsoft.com/', 'packages.microsoft.com/', 'dl.google.com/', 'download.mozilla.org/'],
].map((address) => `https://${address}`.toLowerCase())

const ADDRESS = /https?:\/\/[^\s"'<>|)]{1,2000}/gi

/** Every address in the text is one of them, and there is one. */
export function isInstallerOnly(text: string): boolean {
  const addresses = text.match(ADDRESS) ?? []
  return addresses.length > 0 && addresses.every(isInstaller)
}

function isInstaller(address: string): boolean {
  const lower = address.toLowerCase()
  return INSTALLERS.some(
    (known) =>
      lower.startsWith(known) &&
      (known.endsWith('/') || !/^[\w.-]/.test(lower.slice(known.length)) || /\/install$/.test(known)),
  )
}
