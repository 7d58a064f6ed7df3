/** Verdicts about files, claims of actions and requests for secrets are found; explanations are not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_VERDICTS, SECRET_ADVICE, SECRET_REQUESTS, VERDICTS } from '#test/support/chat/sentences.ts'
import { statesVerdict } from './file-verdict.ts'
import { asksForSecret } from './secrets.ts'

describe('verdicts', () => {
  test('every statement about a file and every claim of an action is found', () => {
    assert.deepEqual(
      VERDICTS.filter((text) => !statesVerdict(text)),
      [],
    )
  })

  test('conditions, definitions and instructions are not verdicts', () => {
    assert.deepEqual(
      NO_VERDICTS.filter((text) => statesVerdict(text)),
      [],
    )
  })

  test('yes or no is a verdict if the question asks for one', () => {
    for (const reply of ['Yes, open it.', 'No.', 'Clean.', '**Infected**: do not open it.', 'It is safe.']) {
      assert.equal(statesVerdict(reply, 'Can I open my report?'), true, reply)
      assert.equal(statesVerdict(reply, 'Is invoice.pdf clean?'), true, reply)
    }
    assert.equal(statesVerdict('No, documents are not stored.', 'Do you keep my documents?'), false)
    assert.equal(statesVerdict('Yes. Documents are held in memory only.', 'Is my data safe?'), false)
  })

  test('a statement about "it" is a verdict if the question names a file', () => {
    const question = 'How do I know that my upload is harmless?'
    for (const reply of [
      'Scan it to know. You can open it.',
      'Good question. Its status is fine.',
      'There is no threat in it.',
    ]) {
      assert.equal(statesVerdict(reply, question), true, reply)
      assert.equal(statesVerdict(reply, 'How is my quota counted?'), false, reply)
    }
    assert.equal(statesVerdict('Scan it: if there is no threat in it, the status is clean.', question), false)
  })

  test('a status in general is no verdict unless the question names a file', () => {
    const reply = 'The status is infected and threat holds the name.'
    assert.equal(statesVerdict(reply, 'What is in the answer when a scan finds a threat?'), false)
    assert.equal(statesVerdict(reply, 'What is in the answer?'), true)
    assert.equal(statesVerdict(reply, 'What happens if my PDF is infected?'), true)
  })
})

describe('secrets', () => {
  test('every request for a password or a key is found', () => {
    assert.deepEqual(
      SECRET_REQUESTS.filter((text) => !asksForSecret(text)),
      [],
    )
  })

  test('warnings, and instructions that name the right place for a secret, are not requests', () => {
    assert.deepEqual(SECRET_ADVICE.filter(asksForSecret), [])
  })
})
