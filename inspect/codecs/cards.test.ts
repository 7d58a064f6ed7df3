import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { unfolded } from './cards.ts'

const { inspect } = useInspector()

/** An appointment whose lines have so many characters. */
const appointment = (description: string, length: number): Buffer =>
  Buffer.from(
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'SUMMARY:Talk about soil'],
      `DESCRIPTION:${description.replaceAll(';', '\\;')}`.replace(new RegExp(`.{${length}}(?=.)`, 'g'), '$&\r\n '),
      ...['END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n'),
  )
const link = (target: string, shown: string): string => `<p>Join: <a href="${target}">${shown}</a></p>`
const isDeceptive = (bytes: Buffer): boolean =>
  inspect(bytes, { name: 'talk.ics', passwords: [] }).findings.some(({ id }) => id === 'Docvet.Link.Deceptive')

test('a link goes on in the next line of an appointment', () => {
  const meeting = 'https://us06web.zoom.us/j/84415550192'
  const wrapped = `https://www.google.com/url?q=${meeting}&amp;sa=D&amp;source=calendar`
  for (let length = 20; length < 75; length++) {
    assert.equal(isDeceptive(appointment(link(wrapped, meeting), length)), false, `${length}`)
    assert.equal(isDeceptive(appointment(link('https://zoom-us.example/j', meeting), length)), true, `${length}`)
  }
})

test('other texts keep their lines', () => {
  assert.equal(unfolded('One\r\n two\\;'), 'One\r\n two\\;')
  assert.equal(unfolded('BEGIN:VCARD\r\nNOTE:a\r\n b\\;'), 'BEGIN:VCARD\r\nNOTE:ab;')
})
