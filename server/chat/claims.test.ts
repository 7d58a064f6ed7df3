/** Verdicts and deeds are found; what only speaks about them is not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claimsVerdict } from './claims.ts'
import { asksForSecret } from './secrets.ts'
import { judge, QUOTA } from './testing/judge.ts'

describe('verdicts', () => {
  const CLAIMS = [
    'Your file is clean.',
    'Yes, it is clean.',
    'invoice.pdf is safe.',
    'The file report.docx is not infected.',
    'This document looks harmless to me.',
    'I confirm that the file is clean.',
    'The document is not infected.',
    'The file you sent is fine.',
    'The attached spreadsheet appears to be malicious.',
    'I have scanned your upload.',
    "I've checked it and found nothing.",
    'We have marked it.',
    'No threats were found in your document.',
    'Your PDF has been found clean by every engine.',
    'invoice.pdf: clean.',
    'The result for salary.xlsx was infected with a threat.',
    'We found no threat in your file.',
    'In this document there is no malware.',
    'Nothing bad was found in the invoice.',
    'The PDF has no malware in it.',
    'Your key dv_live_8Twjq is valid.',
    'A scan found no threat in your file.',
    'The engines call your invoice clean.',
    'Your key has been revoked.',
    'The old key of your account was deleted.',
    'Your plan was changed.',
    'The scan answered {"status": "clean"}.',
    'The engines found nothing in invoice.pdf.',
    'Every engine looked at invoice.pdf and found nothing.',
    'You may open invoice.pdf without worries, nothing bad is inside.',
    'report.docx passed every engine.',
    'report.docx: status OK, no finding, threat null.',
    'If you ask me, invoice.pdf is clean.',
    'All engines passed your file.',
    'Your file passed the scan; open it.',
    'The file is OK.',
    'The verdict is `clean`.',
    'Status: clean. Threat: null.',
    'The result of the scan was clean, so go ahead and open the document.',
    'The document has the verdict clean.',
    'That was a mistake, and the document can be opened by everybody.',
    'The key is revoked now, as you asked.',
    'Done: key revoked, plan changed to team, quota reset.',
    'Scanned just now, and there is no threat in it.',
    'The plan was changed.',
    'You are on the plan team.',
    'Both scans were clean.',
    'There is nothing wrong with payroll.xlsx.',
    'payroll.xlsx is a document without threats.',
    'Your subscription is cancelled.',
    'A new key was created for your account.',
    'Your last scan was clean.',
    'The last scan found no threat.',
    'This invoice looks alright.',
  ]
  for (const claim of CLAIMS) test(`claim: ${claim}`, () => assert.equal(claimsVerdict(claim), true))

  const FINE = [
    'If your file is clean, the status is clean.',
    'A document is infected when an engine finds a threat.',
    '`clean` means that every engine looked at the whole document.',
    'I cannot say whether your file is clean.',
    'An encrypted document is never called clean.',
    'Scan it to know whether this document is infected.',
    'A subscription is active once you have activated it.',
    'With strict, what is only suspicious is infected too.',
    'If your file is clean, there is no threat in it.',
    'When your document has no threat in it, the status is clean.',
    'A key begins with dv_live_ and is shown once.',
    'Once your key has been revoked, it never works again.',
    'Scan invoice.pdf with curl. The answer has the status.',
    'A revoked key never works again.',
    'It looks for malware such as scripts.',
    'I do not know whether invoice.pdf is clean.',
    'Read the field status: "status": "clean" or "status": "infected".',
    'Check response.status in your program: it is clean or infected.',
    'Your subscription might have been cancelled.',
    'You should not open the file.',
    'If you are on the plan free, a key has 500 scans.',
    'Your quota is reset at the beginning of each month.',
    'The key is revoked at once and never works again.',
    'Otherwise, treat the document as dangerous.',
    'Your file is held in memory during the scan and forgotten afterwards.',
  ]
  for (const text of FINE) test(`no claim: ${text}`, () => assert.equal(claimsVerdict(text), false))

  test('a yes or no to a question about a file is a claim, and to another question none', () => {
    for (const reply of ['Yes, open it.', 'No.', 'Clean.', '**Infected**: do not open it.', 'It is safe.']) {
      assert.equal(claimsVerdict(reply, 'Can I open my report?'), true, reply)
      assert.equal(claimsVerdict(reply, 'Is invoice.pdf clean?'), true, reply)
    }
    assert.equal(claimsVerdict('No, documents are not stored.', 'Do you keep my documents?'), false)
    assert.equal(claimsVerdict('Yes. Documents are held in memory only.', 'Is my data safe?'), false)
  })

  test('when the question is about a file, what is said of it is a claim', () => {
    const question = 'How do I know that my upload is harmless?'
    for (const reply of [
      'Scan it to know. You can open it.',
      'Good question. Its status is fine.',
      'There is no threat in it.',
    ]) {
      assert.equal(claimsVerdict(reply, question), true, reply)
      assert.equal(claimsVerdict(reply, 'How is my quota counted?'), false, reply)
    }
    assert.equal(claimsVerdict('Scan it: if there is no threat in it, the status is clean.', question), false)
  })

  test('what an answer holds in general is none, unless the question is about a file', () => {
    const reply = 'The status is infected and threat holds the name.'
    assert.equal(claimsVerdict(reply, 'What is in the answer when a scan finds a threat?'), false)
    assert.equal(claimsVerdict(reply, 'What is in the answer?'), true)
    assert.equal(claimsVerdict(reply, 'What happens if my PDF is infected?'), true)
  })

  test('a claim gets the fixed words about verdicts', () => {
    assert.deepEqual(judge('Your document is clean.', QUOTA), { kind: 'verdict' })
  })
})

describe('secrets', () => {
  test('a reply that asks for a password or a key here is declined', () => {
    for (const text of [
      'Send your password and your API key to this assistant.',
      'To verify your account, write your API key here.',
      'Please tell me your password.',
      'Paste the whole key into this chat.',
      'Reply with your password.',
      'Which key do you use? Show it to me.',
      'What is your API key?',
      'I need your password and API key to go on.',
      'Send your API key and your password to the operator by e-mail, so that support can help you.',
      'The operator needs your password: send it to the operator by e-mail.',
      'Your next message should hold your password and your API key.',
      'Type the password now, and the operator signs you in.',
    ]) {
      assert.equal(asksForSecret(text), true, text)
      assert.deepEqual(judge(text), { kind: 'declined', by: 'secret' })
    }
  })

  test('one that says where a key belongs, or warns, is not', () => {
    for (const text of [
      'Send the key in the header X-API-Key.',
      'Never paste your key into this chat.',
      'Do not write passwords here.',
      'The operator can tell you more about keys here.',
      'Tell the operator the scanId.',
      'Send your password to POST /api/v1/auth/login.',
      'Put your key into the header X-API-Key of each request.',
      'Put the new key into your program.',
      'Nobody needs your password.',
    ])
      assert.equal(asksForSecret(text), false, text)
  })
})
