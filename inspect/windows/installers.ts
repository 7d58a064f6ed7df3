/** Servers from which makers of tools tell everyone to run an installer. */

const list = (names: string): readonly string[] => names.split(/\s+/)

/** Servers and folders whose files all come from the maker. */
export const MAKERS = list(
  `get.scoop.sh get.docker.com sh.rustup.rs win.rustup.rs deb.nodesource.com rpm.nodesource.com get.k3s.io get.helm.sh
  deno.land/x/install install.python-poetry.org astral.sh get.pnpm.io get.sdkman.io get.volta.sh dot.net/v1 dotnet.microsoft.com
  aka.ms get-ghcup.haskell.org install.julialang.org raw.githubusercontent.com/Homebrew raw.githubusercontent.com/nvm-sh
  raw.githubusercontent.com/ohmyzsh raw.githubusercontent.com/helm raw.githubusercontent.com/pyenv download.microsoft.com
  packages.microsoft.com dl.google.com download.mozilla.org
  www.7-zip.org/a 7-zip.org/a nodejs.org/dist www.python.org/ftp download.sysinternals.com releases.hashicorp.com`,
)
/** Servers where it is the file `install`, with or without the extension of a script. */
export const INSTALL_SERVERS = list(
  'community.chocolatey.org chocolatey.org bun.sh bun.com deno.land starship.rs ollama.com tailscale.com',
)
