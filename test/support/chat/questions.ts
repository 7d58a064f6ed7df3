/** Questions about the service, each with the article that answers it. Every third was held out from tuning. */

interface OnTopic {
  question: string
  article: string
  heldOut: boolean
}

const QUESTIONS: [question: string, article: string][] = [
  ['How do I send a file from Node to be scanned?', 'scan-a-document'],
  ['How do I call it from PHP?', 'scan-from-php'],
  ['Delete my account', 'delete-account'],
  ['What does infected mean for a ZIP archive?', 'archives'],
  ['Why did I get a 429?', 'rate-limit'],
  ['How do I rotate my API key?', 'keys'],
  ['My spreadsheet has a password and I got 422. What now?', 'no-verdict'],
  ['Which file types do you support?', 'formats'],
  ['How large may a document be?', 'formats'],
  ['Do you keep my documents?', 'privacy'],
  ['Is anything I upload shared with third parties or used for training?', 'privacy'],
  ['How many scans do I have left this month?', 'quota'],
  ['Does a failed scan count against my quota?', 'quota'],
  ['What does the pro plan cost?', 'plans'],
  ['How can I upgrade to a bigger plan?', 'plans'],
  ['I lost my key. Can you show it again?', 'keys'],
  ['My key leaked on GitHub, what should I do?', 'keys'],
  ['I always get 401 unauthenticated', 'unauthenticated'],
  ['How do I register?', 'sign-up'],
  ['I forgot my password for the dashboard', 'sign-in'],
  ['The reset link says it has expired', 'sign-in'],
  ['What happens if I send the same document twice after a timeout?', 'idempotency'],
  ['I bought a subscription in the marketplace, how do I activate it?', 'marketplace'],
  ['My subscription is suspended', 'marketplace'],
  ['Which engines do you use?', 'engines'],
  ['How do I connect ClamAV?', 'clamd'],
  ['Can I add my own YARA rules?', 'own-rules'],
  ['How do I update the rules on a machine without a network?', 'own-rules'],
  ['How do I use a feed of malicious URLs such as URLhaus?', 'own-rules'],
  ['How do I install Docvet on my own server?', 'self-hosting'],
  ['Can I run several replicas with PostgreSQL?', 'scaling'],
  ['Which endpoint should my load balancer probe for liveness?', 'health'],
  ['What does Docvet.Bomb.Ratio mean?', 'finding-bomb'],
  ['My Word file was flagged with Docvet.Ooxml.DdeField', 'finding-office'],
  ['What is Docvet.Zip.PathTraversal?', 'finding-zip'],
  ['What does Docvet.Qr.Phishing mean, my PDF has a QR code', 'finding-link'],
  ['Why is Docvet.Link.Deceptive reported for a link in my mail?', 'finding-link'],
  ['Why does my PDF have the finding Docvet.Hidden.Instructions?', 'finding-hidden'],
  ['How do I get only the visible text of a document for my assistant?', 'finding-hidden'],
  ['How can I test detection with EICAR?', 'eicar'],
  ['I think this is a false positive, what can I do?', 'false-positive'],
  ['Who can see what I write to this assistant?', 'assistant'],
  ['How do I make the assistant use Ollama?', 'operator-assistant'],
  ['Scans answer 503 engine_unavailable', 'unavailable'],
  ['How do you protect yourselves against malicious files, is there a sandbox?', 'security'],
  ['What does error missing_file mean?', 'errors'],
  ['How deep may archives be nested?', 'archives'],
]

/** Questions in words that the articles do not use. */
export const SYNONYMS: readonly [question: string, article: string][] = [
  ['Can I get a refund?', 'plans'],
  ['I want my money back', 'marketplace'],
  ['Do you have an SDK?', 'scan-a-document'],
  ['Can I get a webhook when the scan is done?', 'scan-a-document'],
  ['Is there a callback, or do I poll?', 'scan-a-document'],
  ['Do you detect ransomware?', 'what-is-docvet'],
  ['Do you find trojans and worms?', 'what-is-docvet'],
  ['Is there a docker image?', 'self-hosting'],
  ['Do you have a docker compose file or a helm chart?', 'self-hosting'],
  ['What hardware do I need, how much RAM?', 'self-hosting'],
  ['Which licence does it have, is it open source?', 'self-hosting'],
  ['How do I call it from C# or PHP?', 'scan-a-document'],
  ['Is there a Postman or Swagger file?', 'scan-a-document'],
  ['Can I scan many files in bulk?', 'scan-a-document'],
  ['Do you have two-factor authentication?', 'sign-in'],
  ['Is there a GUI?', 'sign-in'],
  ['Can I sign in with Microsoft or Google?', 'sign-in-providers'],
  ['I lost my phone with the passkey', 'passkeys'],
  ['How do I invite a colleague to my account?', 'members'],
  ['What may a viewer do?', 'members'],
  ['How do I transfer ownership of my account to a colleague?', 'ownership'],
  ['Where is the login page?', 'sign-in'],
  ['Do you have an uptime SLA or metrics for Prometheus?', 'health'],
  ['Are you GDPR compliant?', 'privacy'],
  ['Do you log my IP address?', 'privacy'],
  ['Do you use cookies or tracking?', 'privacy'],
  ['Is TLS supported, do I need a certificate?', 'security'],
  ['Can I scan RAR or 7z files?', 'formats'],
  ['Can I scan an mp4?', 'formats'],
  ['How do I downgrade?', 'plans'],
  ['How do I get an invoice?', 'plans'],
  ['How do I cancel?', 'marketplace'],
  ['My key was compromised', 'keys'],
  ['How many requests may run in parallel?', 'rate-limit'],
  ['Do you find zero-day attacks, is there machine learning?', 'engines'],
  ['Can it scan a file from a presigned URL of my bucket?', 'scan-by-url'],
  ['How do I verify the signature of a callback?', 'callbacks'],
  ['I got 431, what is wrong with my headers?', 'request-errors'],
  ['My document is corrupt', 'no-verdict'],
  ['What is Docvet.Unscannable.Encrypted?', 'no-verdict'],
  ['Where do I see my statistics?', 'quota'],
]

/** Questions of worried people, in their words; the answer without a language model must be the right article alone or first. */
export const WORRIED: readonly [question: string, article: string][] = [
  ['I opened it already', 'opened-it'],
  ['I already opened the infected file', 'opened-it'],
  ['I opened the attachment, what now?', 'opened-it'],
  ['I clicked on the link', 'opened-it'],
  ['I clicked the link in the document', 'opened-it'],
  ['I enabled macros', 'opened-it'],
  ['I clicked enable content', 'opened-it'],
  ['Is my computer infected now?', 'opened-it'],
  ['Do I have a virus?', 'opened-it'],
  ['Am I hacked?', 'opened-it'],
  ['My computer is slow since I opened it', 'opened-it'],
  ['My files are encrypted now', 'opened-it'],
  ['I entered my password on the page', 'opened-it'],
  ['Should I turn off my computer?', 'opened-it'],
  ['I forwarded it to my boss', 'opened-it'],
  ['I sent the file to a colleague', 'opened-it'],
  ['Help, my file is infected', 'infected-document'],
  ['It says infected, what should I do?', 'infected-document'],
  ['Can you clean the file?', 'infected-document'],
  ['Can you remove the virus?', 'infected-document'],
  ['Can I get my file back?', 'infected-document'],
  ['I need the file urgently', 'infected-document'],
  ['The file came from my bank', 'infected-document'],
  ['The sender is a friend', 'infected-document'],
  ['Where is my mail?', 'missing-mail'],
  ['I did not get the e-mail', 'missing-mail'],
  ['I never received the mail', 'missing-mail'],
  ['The reset mail does not arrive', 'missing-mail'],
  ['No email came', 'missing-mail'],
  ['Where is my report?', 'reports'],
  ['Where is my file?', 'reports'],
  ['Where did my file go?', 'reports'],
  ['Who can see my file?', 'reports'],
  ['Who allowed this?', 'reports'],
  ['Why was my file not scanned?', 'reports'],
  ['Why was it not scanned?', 'reports'],
  ['What would it have done?', 'reports'],
  ['I dropped the wrong file', 'reports'],
  ['Someone used my account', 'misused-account'],
  ['My account was hacked', 'misused-account'],
  ['I am locked out', 'misused-account'],
  ['I cannot sign in', 'misused-account'],
  ['Somebody stole my key', 'keys'],
  ['How do I give my colleague a key?', 'keys'],
  ['Is it a false alarm?', 'false-positive'],
  ['I uploaded a confidential file by mistake', 'privacy'],
  ['How many scans are left?', 'quota'],
  ['Delete everything about me', 'delete-account'],
]

export const ON_TOPIC: readonly OnTopic[] = QUESTIONS.map(([question, article], index) => ({
  question,
  article,
  heldOut: index % 3 === 2,
}))

/** Honest answers that must pass. Every third was held out from tuning. */
const FREE_ANSWERS: [question: string, answer: string][] = [
  [
    'How do I rotate my API key?',
    'First create a new key with POST /api/v1/keys and switch your application over to it. Once everything works, revoke the old key with DELETE /api/v1/keys/{id}. Revoking is permanent and takes effect immediately.',
  ],
  [
    'Why did I get a 429?',
    'You sent too many requests in a short time. Please wait for the number of seconds in the Retry-After header and then try again. If it happens often, a larger plan allows more scans per second.',
  ],
  [
    'Does a failed scan count against my quota?',
    'No. Only a delivered verdict is charged; requests that fail or are refused do not count against your monthly quota.',
  ],
  [
    'Do you keep my documents?',
    'No, documents are not stored. They are kept in memory only while they are being scanned, and afterwards they are forgotten. We do keep the verdict, the time, and the SHA-256 hash, size and type of the document.',
  ],
  [
    'How large may a document be?',
    'A single document can be up to 25 MB (26,214,400 bytes). Anything larger is rejected with 413 file_too_large, so split a big archive and scan the parts separately.',
  ],
  [
    'My spreadsheet has a password and I got 422. What now?',
    'The code encrypted_document tells you that Docvet could not look inside because of the password. Remove the password in Excel, save the file and scan it again. You were not charged for this.',
  ],
  [
    'I lost my key. Can you show it again?',
    'Unfortunately not: a key is shown only once, when it is created, and only a hash of it is stored. Please create a new key and revoke the lost one.',
  ],
  [
    'How do I install Docvet on my own server?',
    'You need git, npm and Node 20 or newer. Clone the repository and run `npm ci && npm start`. The service then listens on port 8080 and keeps its data in ./data; settings are environment variables that start with DOCVET_.',
  ],
  [
    'How can I test detection with EICAR?',
    'Upload the EICAR test file, a harmless text that every scanner reports. You should receive the status infected with the threat Docvet.Test.Eicar.',
  ],
  [
    'I think this is a false positive, what can I do?',
    'Check the name of the threat first and remove what it points to, for example a DDE field, then scan the document again. If you still believe the verdict is wrong, send the scanId and the threat name to your operator. I am not able to change a verdict.',
  ],
  [
    'Which engines do you use?',
    'Every document is examined by the embedded engine, which unpacks it and checks each part with rules. If the operator has configured clamd (ClamAV), it is asked as well, and both must agree before a document is called clean.',
  ],
  [
    'My subscription is suspended',
    'A suspended subscription usually means that a payment failed. Settle it in the marketplace; the plan applies again as soon as the subscription is Subscribed.',
  ],
  [
    'What does infected mean for a ZIP archive?',
    'It means that at least one file inside the archive contains a threat. The field `threat` holds the name of what was found. If your archive is clean, the status is `clean` and threat is null.',
  ],
  [
    'I always get 401 unauthenticated',
    'Your request has no valid API key. Send it in the X-API-Key header, or as a Bearer token in the Authorization header, and check that you copied the whole key: it begins with dv_live_. A revoked key will never work again.',
  ],
  [
    'What happens if I send the same document twice after a timeout?',
    'If both requests carry the same Idempotency-Key within 24 hours, the second one gets the same answer and you are charged only once. Without that header each verdict is charged.',
  ],
]

/** Written after the tuning; two of them led to more words in the articles. */
const LATER_ANSWERS: [question: string, answer: string][] = [
  [
    'What does infected mean?',
    'When a scan returns "infected", it means that at least one engine detected a threat in the document. The `threat` field contains its name. You should not open the file.',
  ],
  [
    'Can I scan a photo?',
    'No, images are not accepted on their own. Docvet accepts PDF, Office documents, text and ZIP files; anything else is answered with 415 unsupported_content_type.',
  ],
  [
    'How do I scan from Java?',
    'Send a POST request to https://scan.docvet.test/api/v1/scan with your API key in the X-API-Key header and the document as the multipart/form-data part named file. Any HTTP library in Java can do this; let the library build the form for you.',
  ],
  [
    'What happens when I run out of quota?',
    'Once your monthly quota is used up, further scans are answered with 402 quota_exhausted until the next UTC month begins. The Retry-After header tells you when that is. To continue scanning sooner, you can move to a larger plan.',
  ],
  [
    'Is my data safe?',
    'Yes. Documents are only held in memory during the scan and are never stored or logged. API keys are stored only as hashes. Note that TLS is handled by the proxy in front of the service.',
  ],
  [
    'Can I get a refund?',
    "I'm sorry, I don't know. The articles do not cover refunds; prices are shown in the marketplace, and the operator of this installation can tell you more.",
  ],
  [
    'How long does a scan take?',
    'Usually a scan is fast, but the engines may take up to 30 seconds. If they need longer, you get 503 scan_timeout and you are not charged. Then simply try again.',
  ],
  [
    'What are the limits of the free plan?',
    'On the free plan, each key has 500 scans per month, an account may have 5 keys in one month, and you can make 1 scan per second with a burst of 10.',
  ],
  [
    'Do you support single sign-on?',
    'The articles only mention sign-in with an e-mail address and a password, so I do not know whether single sign-on is supported.',
  ],
  [
    'How do I set up Docvet with PostgreSQL?',
    'Set DOCVET_DATABASE_URL to your PostgreSQL database, for example postgres://user:password@host:5432/docvet. If you run several replicas, also set DOCVET_REDIS_URL so that they share rate limits.',
  ],
  [
    'What is a zip bomb?',
    'A zip bomb is an archive that expands to far more data than any real document, in order to exhaust the program that opens it. Docvet reports it as infected with the name Docvet.Bomb.Ratio.',
  ],
  [
    'Hello, what can this assistant do?',
    'Hello! I am the Docvet assistant. I can answer questions about scanning, verdicts, formats, errors, keys, quota, plans and privacy. What would you like to know?',
  ],
]

export const ANSWERS = [
  ...FREE_ANSWERS.map(([question, answer], index) => ({ question, answer, heldOut: index % 3 === 2 })),
  ...LATER_ANSWERS.map(([question, answer]) => ({ question, answer, heldOut: false })),
]
