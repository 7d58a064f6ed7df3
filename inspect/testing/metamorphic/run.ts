/** Runs variants with functions that only record what they are given: proof that a variant does what its plain form does. */
import { spawnSync } from 'node:child_process'
import vm from 'node:vm'

/** Calls that a script makes of its host. */
export function runJavaScript(program: string): string[] {
  const seen: string[] = []
  const see = (name: string, ...values: unknown[]): void => void seen.push(JSON.stringify([name, ...values]))
  function ActiveXObject(this: unknown, type: string) {
    return {
      responseText: '',
      Run: (command: string) => see(`${type}.Run`, command),
      ShellExecute: (file: string, parameters: string) => see(`${type}.ShellExecute`, file, parameters),
      open: (_method: string, url: string) => see(`${type}.open`, url),
      send() {},
    }
  }
  const location = {
    set href(url: string) {
      see('location', url)
    },
    replace: (url: string) => see('location', url),
  }
  const host = {
    ActiveXObject,
    WScript: { CreateObject: ActiveXObject },
    app: { launchURL: (url: string) => see('launchURL', url) },
    atob: (text: string) => Buffer.from(text, 'base64').toString('latin1'),
    location,
  }
  vm.runInNewContext(program, Object.assign(host, { window: host }))
  return seen
}

/** The same for Python, all programs in one process. */
const RECORDER = `
import json, os, subprocess, sys, urllib.request
programs = json.load(sys.stdin)
seen = []
class Answer:
    def read(self): return b""
os.system = lambda command: seen.append(["os.system", command])
subprocess.Popen = lambda command, **options: seen.append(["subprocess.Popen", command])
urllib.request.urlopen = lambda url: seen.append(["urlopen", url]) or Answer()
found = []
for program in programs:
    seen = []
    exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    found.append([json.dumps(each) for each in seen])
print(json.dumps(found))
`

export function runPython(programs: readonly string[]): string[][] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', RECORDER], {
    input: JSON.stringify(programs),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
