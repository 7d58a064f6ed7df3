import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { outcome } = useInspector()

const entry = (summary: string, description: string, organizer = 'it@help-desk.example'): Buffer =>
  Buffer.from(
    `BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nORGANIZER;CN=IT:mailto:${organizer}\r\nSUMMARY:${summary}\r\n${description}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  )

suite('an invitation that demands', () => {
  const attacks: readonly (readonly [string, string])[] = [
    [
      'Action required: your password expires today',
      'DESCRIPTION:Keep your current password here: https://o365-keep.example/login\\nOtherwise your account will be locked.',
    ],
    [
      'Su contraseña caduca hoy',
      'DESCRIPTION:Para evitar la suspensión inicie sesión en https://correo-renovar.example/a',
    ],
    [
      'Votre mot de passe expire aujourd’hui',
      'X-ALT-DESC;FMTTYPE=text/html:<p>Pour éviter le blocage de votre compte <a href="https://messagerie-maintien.example/c">conservez votre mot de passe</a></p>',
    ],
    ['PayPal: $649.99', 'DESCRIPTION:If you did not authorize this\\, call us at +1 (805) 555-0142 to get a refund.'],
    [
      'Antivirus renewal $399.99',
      'DESCRIPTION:Your card has been charged. To cancel this subscription call +1 888 555 0199 at once.',
    ],
  ]
  for (const [summary, description] of attacks)
    test(summary, () => assert.equal(outcome(entry(summary, description)), 'Docvet.Mail.Invitation'))
})

suite('an invitation of a stranger', () => {
  const invited = (organizer: string, host: string): Buffer =>
    entry(
      'Mandatory: benefits enrolment',
      `ATTENDEE;CN=Staff;RSVP=TRUE:mailto:a@greenfield.example\r\nDESCRIPTION:Sign in before Friday\\, otherwise your salary is on hold: https://${host}/in`,
      organizer,
    )
  const OWN = 'hr@calendar-desk.example'
  test('poses as a company in front of its own domain', () => {
    for (const host of ['workday-payroll.calendar-desk.example', 'adp-login.calendar-desk.example'])
      assert.equal(outcome(invited(OWN, host)), 'Docvet.Mail.Invitation')
  })
  test('leads to its own domain', () => assert.equal(outcome(invited(OWN, 'www.calendar-desk.example')), undefined))
  test('is not one of a colleague', () =>
    assert.equal(outcome(invited('hr@greenfield.example', 'workday-login.greenfield.example')), undefined))
})

suite('an invitation is harmless', () => {
  const others: readonly (readonly [string, string, string?])[] = [
    [
      'Kennwort ändern bis Freitag',
      'DESCRIPTION:Ihr Kennwort läuft am Freitag ab. Ändern Sie es unter https://kennwort.stadtwerke.example oder mit Strg+Alt+Entf.',
      'it@stadtwerke.example',
    ],
    [
      'Webinar: Passwords are dead',
      'DESCRIPTION:Join us today! Register at https://events.vendor.example/x before midnight.',
    ],
    ['Umsatzsteuer', 'DESCRIPTION:Frist heute! Anmelden unter https://www.elster.de/eportal/login'],
    ['Hotel', 'DESCRIPTION:Total: EUR 240. To cancel call the hotel: +49 7531 5550123.'],
  ]
  for (const [summary, description, organizer] of others)
    test(summary, () => assert.equal(outcome(entry(summary, description, organizer)), undefined))
})
