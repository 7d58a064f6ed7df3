/** Files of projects for developers that contain commands, or settings that load code. */

import type { Occasion } from '#inspect/judge/command/foreign.ts'
import { POWERSHELLS, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import type { Values } from './values.ts'

export interface ProjectFile {
  name: RegExp
  /** Without it, nothing in the file runs by itself. */
  needs?: RegExp
  /** Matches that contain a command in their first group, literals of a program that are one, or scripts of a build. */
  commands?: RegExp | 'literals' | 'steps'
  /** How the file gives names to parts of its commands. */
  values?: Values
  /** Settings that load code from a server without a name, or from a file that is no code. */
  settings?: RegExp
  /** Opening is enough. Packages fetch parts of themselves when they are installed. */
  on: Occasion
}

/** The value of a key of JSON: a text, or a list of texts. */
const json = (keys: string): RegExp =>
  new RegExp(String.raw`"(?:${keys})"\s{0,20}:\s{0,20}(\[[^\]]{0,2000}\]|"(?:[^"\\]|\\.){0,4000}")`, 'gi')

/** A command with its arguments. */
const TASK =
  /"command"\s{0,20}:\s{0,20}("(?:[^"\\]|\\.){0,4000}"(?:\s{0,20},\s{0,20}"args"\s{0,20}:\s{0,20}\[[^\]]{0,4000}\])?)/gi

/** Keys of the settings of assistants and editors whose values are commands, and those of their hooks. */
const SETTING_COMMAND = json(
  'command|apiKeyHelper|awsAuthRefresh|awsCredentialExport|otelHeadersHelper|(?:init|setup|start|on\\w{1,20})[_-]?command',
)
const HOOK_COMMAND = json(`command|${[...UNIX_SHELLS, ...POWERSHELLS].join('|')}|script|run`)

/** Keys of one server belong together. */
const GROUP = /\{[^{}]{0,8000}\}/g

/** Where a line is a command, whatever is around it. */
const LINE = /^([^\r\n]{8,4000})/gm

/** A server that has no name, outside of the network of the reader. */
const BARE_SERVER = String.raw`http\\?://(?!10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}\b`

/** An interpreter that is given a file which poses as data. */
const POSING_CODE =
  /"command"\s{0,20}:\s{0,20}"(?:node|python3?|bash|sh|zsh|php|perl|ruby|pwsh)(?:\s|"\s{0,20},\s{0,20}"args"\s{0,20}:\s{0,20}\[\s{0,20}")[^"\r\n]{1,300}\.(?:woff2?|ttf|otf|eot|png|jpe?g|gif|ico|webp|pdf|docx?|dat|bin|lock|map)"/i

export const PROJECT_FILES: readonly ProjectFile[] = [
  {
    name: /(?:^|\/)[^/]{0,40}\btasks\b[^/]{0,40}\.json$|\.code-workspace$/,
    needs: /"folderOpen"/,
    commands: TASK,
    settings: POSING_CODE,
    on: 'opening',
  },
  { name: /(?:^|\/)launch\.json$/, commands: GROUP, on: 'installation' },
  {
    name: /(?:^|\/)settings\.json$|\.code-workspace$/,
    needs: /terminal\.|Command|\.path/i,
    commands: GROUP,
    on: 'installation',
  },
  { name: /(?:^|\/)\.?mcp\.json$/, commands: GROUP, on: 'opening' },
  {
    name: /(?:^|\/)(?:[\w.-]{0,40}-)?settings(?:\.local)?\.json$/,
    needs: /"(?:hooks|statusLine|apiKeyHelper|awsAuthRefresh|awsCredentialExport|otelHeadersHelper)"/,
    commands: SETTING_COMMAND,
    on: 'package',
  },
  {
    name: /(?:^|\/)(?:[\w.-]{0,40}[._-])?hooks?(?:\.[\w.-]{0,40})?\.json$|(?:^|\/)hooks\/[\w.-]{1,60}\.json$|\.kiro\.hook$/,
    commands: HOOK_COMMAND,
    on: 'package',
  },
  {
    name: /(?:^|\/)\.?devcontainer(?:\/(?:[^/]+\/)?devcontainer)?\.json$/,
    commands: json('initializeCommand'),
    on: 'opening',
  },
  {
    name: /(?:^|\/)\.?devcontainer(?:\/(?:[^/]+\/)?devcontainer)?\.json$/,
    commands: json('(?:onCreate|updateContent|postCreate|postStart|postAttach)Command'),
    on: 'installation',
  },
  {
    name: /(?:^|\/)\.git\/config$/,
    commands:
      /^\s{0,20}(?:fsmonitor|sshCommand|pager|editor|askPass|textconv|clean|smudge|process)\s{0,20}=([^\r\n]{0,4000})/gim,
    on: 'opening',
  },
  // What starts each connection of a shell.
  {
    name: /(?:^|\/)\.?ssh[\w.-]{0,20}\/[\w./-]{1,60}$|(?:^|\/)(?:ssh_?)?config(?:\.(?:ssh|txt|conf))?$|\.ssh$/,
    needs: /^\s{0,20}Host\s/m,
    commands: /^\s{0,20}(?:ProxyCommand|LocalCommand|KnownHostsCommand|Match\s{1,9}exec)[\s=]{1,9}([^\r\n]{8,4000})/gim,
    on: 'opening',
  },
  // What a private network runs when it is connected.
  {
    name: /\.(?:ovpn|conf)$/,
    needs: /^\s{0,20}script-security\s{1,9}["']?[23]/m,
    commands:
      /^[ \t]{0,20}(?:up|down|ipchange|route-up|route-pre-down|tls-verify|tls-crypt-v2-verify|auth-user-pass-verify|client-(?:dis)?connect|client-crresponse|learn-address|iproute)[ \t]{1,20}([^\r\n]{8,4000})/gm,
    values: 'connection',
    on: 'package',
  },
  {
    name: /\.conf$/,
    needs: /^\s{0,20}\[Interface\]/im,
    commands: /^[ \t]{0,20}(?:Pre|Post)(?:Up|Down)[ \t]{0,20}=[ \t]{0,20}([^\r\n]{8,4000})/gim,
    on: 'package',
  },
  { name: /(?:^|\/)\.gitmodules$/, settings: /^\s{0,20}url\s{0,20}=\s{0,20}ext::/im, on: 'opening' },
  {
    name: /(?:^|\/)\.idea\/[^/]+\.xml$/,
    needs: /StartupTasks|runOnStartup/i,
    commands: /(?:>|value=")([^<>"]{8,4000})[<"]/g,
    on: 'opening',
  },
  {
    name: /\.(?:vc|cs|vb|fs)(?:x)?proj$/,
    commands: /<(?:Pre|Post)(?:Build|Link)Event>\s{0,200}(?:<Command>)?([^<]{8,4000})/gi,
    values: 'properties',
    on: 'opening',
  },
  {
    name: /\.(?:(?:vc|cs|vb|fs)(?:x)?proj|targets|props)$/,
    commands: /<Exec\s[^<>]{0,400}Command\s{0,4}=\s{0,4}["']([^<>]{4,4000})/gi,
    values: 'properties',
    on: 'installation',
  },
  {
    name: /(?:^|\/)package\.json$/,
    commands: json('(?:pre|post)?install|(?:pre|post)?prepare|prepublish'),
    on: 'package',
  },
  {
    name: /(?:^|\/)composer\.json$/,
    commands: json('(?:pre|post)-(?:install|update)-cmd|post-autoload-dump'),
    on: 'package',
  },
  // Settings of installers of packages.
  {
    name: /(?:^|\/)\.npmrc$/,
    settings: new RegExp(
      String.raw`^\s{0,20}(?:git|script-shell)\s{0,20}=\s{0,20}["']?\.{1,2}[\\/]|^\s{0,20}registry\s{0,20}=\s{0,20}${BARE_SERVER}`,
      'im',
    ),
    on: 'installation',
  },
  {
    name: /(?:^|\/)(?:\.yarnrc(?:\.yml)?|bunfig\.toml|pip\.conf|pip\.ini|\.condarc|nuget\.config|requirements[\w.-]{0,40}\.txt|gradle-wrapper\.properties|maven-wrapper\.properties|\.bundle\/config)$/,
    settings: new RegExp(
      String.raw`^\s{0,20}(?:<add |<[^<>]{0,100}value="|-i |--(?:extra-)?index-url|index-url|npmregistryserver|registry|distributionurl|bundle_mirror[\w:./-]{0,80})[^\r\n]{0,100}?${BARE_SERVER}`,
      'im',
    ),
    on: 'installation',
  },
  // What a value is set to runs before anything is built, and its recipes with it.
  {
    name: /(?:^|\/)(?:gnu)?makefile(?:\.\w{1,9})?$|\.mk$/,
    commands: /(?:\$\(shell\s|^\t[@-]{0,2})([^\r\n]{8,4000})/gm,
    values: 'make',
    on: 'installation',
  },
  {
    name: /(?:^|\/)cmakelists\.txt$|\.cmake$/,
    commands: /execute_process\s{0,4}\(([^)]{8,4000})/gi,
    on: 'installation',
  },
  { name: /(?:^|\/)meson\.build$/, commands: /run_command\s{0,4}\(([^)]{8,4000})/g, on: 'installation' },
  { name: /(?:^|\/)binding\.gyp$/, commands: /<!@?\(([^"]{8,4000})/g, on: 'package' },
  // Scripts and lists of commands, which a tool or a shell runs when it enters the folder.
  {
    name: /(?:^|\/)(?:\.envrc|\.(?:bash|zsh|k?sh)(?:rc|_profile|_login|env)|\.profile|\.bash_aliases|justfile|\.(?:ex|vim|nvim)rc|\.(?:gdb|lldb)init|\.dir-locals\.el|\.rprofile|(?:shell|default|flake)\.nix|\.?mise(?:\.local)?\.toml|taskfile\.ya?ml|\.pre-commit-config\.yaml|\.?lefthook\.ya?ml|\.cargo\/config|config\.toml|pyproject\.toml)$/,
    commands: LINE,
    on: 'installation',
  },
  {
    name: /(?:^|\/)(?:(?:containerfile|dockerfile)(?:\.[\w-]{1,20})?|procfile|docker-compose[\w.-]{0,20}\.ya?ml|compose\.ya?ml|\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.yml|jenkinsfile|tox\.ini)$/,
    commands: LINE,
    on: 'build',
  },
  {
    name: /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/,
    settings: /\btoJSON\s{0,4}\(\s{0,4}secrets\s{0,4}\)[\s\S]{0,600}?\bcurl\b/,
    on: 'installation',
  },
  // Steps of a build and of an action, wherever they are.
  { name: /\.ya?ml$/, needs: /^(?:jobs|runs|stages|steps|pipelines?):/m, commands: 'steps', on: 'build' },
  // The same outside of its folder.
  {
    name: /\.ya?ml$/,
    needs: /^jobs:/m,
    settings: /\btoJSON\s{0,4}\(\s{0,4}secrets\s{0,4}\)[\s\S]{0,600}?\b(?:curl|wget)\b/,
    on: 'installation',
  },
  {
    name: /(?:^|\/)(?:\.husky|\.git\/hooks|\.githooks|hooks)\/[\w-]{1,40}$|(?:^|\/)(?:pre|post)-(?:commit|checkout|merge|push|rewrite|receive|applypatch)$/,
    commands: LINE,
    on: 'installation',
  },
  // Programs that describe a build.
  {
    name: /(?:^|\/)(?:build\.rs|gemfile|rakefile|extconf\.rb|vagrantfile|conanfile\.py|build\.zig)$|\.(?:gemspec|podspec|gradle|gradle\.kts|sbt|rake)$|(?:^|\/)\.pnpmfile\.cjs$/,
    commands: 'literals',
    on: 'package',
  },
  { name: /(?:^|\/)pom\.xml$/, commands: /<arguments?>([\s\S]{8,4000}?)<\/arguments>/g, on: 'installation' },
]
