/**
 * Honest answers in free wording, as models write them: polite openings, hedges, lists. Every third was held out from
 * tuning.
 */

const ROWS: [question: string, answer: string][] = [
  [
    'How do I rotate my API key?',
    "Sure! Here's how to rotate a key safely:\n\n1. Generate a replacement with POST /api/v1/keys.\n2. Deploy the new secret to your application.\n3. Delete the previous key with DELETE /api/v1/keys/{id}.\n\nKeep in mind that revocation is irreversible and happens instantly.",
  ],
  [
    'Which file types do you support?',
    'Great question! Docvet supports the following categories:\n\n- PDF files\n- Microsoft Office documents such as Word, Excel and PowerPoint, including older versions\n- OpenDocument, RTF and OneNote\n- Plain text formats like CSV, HTML, XML, JSON and Markdown\n- E-mail messages\n- ZIP archives',
  ],
  ['How large may a document be?', 'Yes, up to 25 MB.'],
  [
    'Why did I get a 429?',
    "A 429 response indicates that you've hit the rate limit. Slow your client down, respect the Retry-After header, and spread requests more evenly. Upgrading your plan would raise the limit.",
  ],
  ['Do you offer single sign-on?', 'I do not know.'],
  [
    'Do you keep my documents?',
    'No, your files are processed entirely in memory and discarded once the scan finishes. Only metadata is retained: the verdict, a timestamp, the threat name, and the hash, size and type of the file.',
  ],
  [
    'My spreadsheet has a password and I got 422. What now?',
    'That happens because Docvet has no way of opening a password-protected spreadsheet. Save an unprotected copy and upload that one instead. The failed attempt was not billed.',
  ],
  [
    'Does a failed scan count against my quota?',
    "No, it doesn't. Unsuccessful requests are free of charge; your allowance only decreases when you actually receive a verdict.",
  ],
  ['Can I scan a photo?', 'No, sorry: images are not supported on their own.'],
  [
    'I lost my key. Can you show it again?',
    "I'm afraid that isn't possible. For security reasons the full key is displayed only at creation, and afterwards only a hash remains. Simply generate a fresh key and remove the one you lost.",
  ],
  [
    'What does infected mean?',
    "In short, one or more engines discovered something malicious in the document you submitted. You'll see the name in the threat field. I'd recommend not opening the file and contacting whoever sent it.",
  ],
  [
    'How do I send a file from Node to be scanned?',
    'You can use any HTTP client. Build a FormData object, append the document under the name file, and POST it to /api/v1/scan while passing your key in the X-API-Key header. The JSON response then contains the status.',
  ],
  [
    'What happens when the monthly quota is used up?',
    "Once you've consumed all scans of the month, the API returns 402 quota_exhausted. You can either wait until the counter resets at the start of the next UTC month, or switch to a bigger plan.",
  ],
  [
    'Can I run several replicas with PostgreSQL?',
    'Absolutely. Point every replica to the same PostgreSQL database through DOCVET_DATABASE_URL, and add Redis via DOCVET_REDIS_URL if you want rate limits to be shared. Quotas remain accurate across all instances.',
  ],
  [
    'I think this is a false positive, what can I do?',
    'False alarms can occur. I suggest the following:\n\n1. Read the threat name to understand what triggered the detection.\n2. Remove the offending element, for instance a DDE field.\n3. Rescan the document.\n\nIf the problem persists, report the scanId to your operator, who can investigate further.',
  ],
  [
    'How do I install Docvet on my own server?',
    'Installation is straightforward. Make sure git, npm and a recent Node (version 20 or above) are available, clone the repository, and execute `npm ci && npm start`. By default it listens on port 8080.',
  ],
  [
    'Which engines do you use?',
    'According to the documentation, this installation relies on two engines: embedded and clamd. Both are currently up, and both have to agree that a document is clean.',
  ],
  [
    'I forgot my password for the dashboard',
    "No worries! Request a password reset with your e-mail address and you'll receive a link. Please note that it expires after 10 minutes and can only be used once.",
  ],
  [
    'How can I test detection with EICAR?',
    'Just upload the standard EICAR test string. It is completely harmless, yet every antivirus product recognises it, so you should get infected with the threat Docvet.Test.Eicar back.',
  ],
  [
    'What is Docvet.Zip.PathTraversal?',
    'This finding means that the archive contains an entry whose path points outside of the destination folder. Such archives are typically crafted by attackers to overwrite files. You should avoid extracting it.',
  ],
  [
    'My key leaked on GitHub, what should I do?',
    'Please revoke the exposed key immediately and create another one. Revocation takes effect right away, so nobody can misuse the leaked key afterwards. It might also be worth checking your usage for anything unexpected.',
  ],
  ['Is there a dark mode?', "I'm not sure. The articles do not mention it."],
  [
    'How long does a scan take?',
    "Most scans complete quickly, although I can't promise a particular duration. The maximum is 30 seconds; beyond that you'll get a scan_timeout error and may retry.",
  ],
  [
    'What are the limits of the free plan?',
    "Here's an overview of the free plan:\n\n- 500 scans per key every month\n- a maximum of 5 keys in a month\n- 1 scan per second, with bursts of up to 10",
  ],
  [
    'How deep may archives be nested?',
    "Archives can be nested up to 16 levels. If yours goes deeper, the request fails with document_too_complex, in which case it's best to extract it yourself and submit the contents individually.",
  ],
  [
    'Which endpoint should my load balancer probe for liveness?',
    'For liveness checks, configure your load balancer to call /livez. Use /readyz to decide whether an instance should receive traffic, since it fails whenever the database or an engine is unavailable.',
  ],
  [
    'What happens if I send the same document twice after a timeout?',
    "If you attach the same Idempotency-Key to both attempts, you're only billed once and you simply receive the original result again. This is valid for 24 hours. Otherwise, each completed scan is billed separately.",
  ],
  [
    'I bought a subscription in the marketplace, how do I activate it?',
    'After purchasing, follow the link from the marketplace and sign in so that the purchase gets connected to your account. Then confirm the activation; this is also the moment when billing begins and your new plan becomes effective.',
  ],
  [
    'Can I add my own YARA rules?',
    'Yes, custom YARA rules are supported. Place your .yar or .yara files in a directory and set DOCVET_RULES_DIR accordingly. They get reloaded automatically, and invalid files are reported in the log without breaking anything.',
  ],
  [
    'How do you protect yourselves against malicious files, is there a sandbox?',
    'Yes. Every document is opened in isolated child processes which have no access to the network, the file system or elevated privileges. Should an engine crash, you receive an error instead of an incorrect clean result.',
  ],
  ['Is my data used for training?', 'No.'],
  [
    'How do I connect ClamAV?',
    "To integrate ClamAV, set the environment variable DOCVET_CLAMD_URL to your clamd socket or TCP address. It's advisable to begin with the sample configuration in deploy/clamd.conf, because the default settings may let unscanned content pass.",
  ],
  [
    'Scans answer 503 engine_unavailable',
    'It looks like one of the required engines is temporarily offline. Docvet refuses to scan in that situation rather than risk a wrong verdict. Wait a moment and retry; if it keeps happening, let your administrator know so they can inspect the health endpoint.',
  ],
  [
    'How do I make the assistant use Ollama?',
    'As an operator, set DOCVET_CHAT_URL to the base URL of your Ollama server and DOCVET_CHAT_MODEL to the model you have downloaded. No key is required for Ollama in most cases.',
  ],
  [
    'Can I get a refund?',
    "Unfortunately I don't have details about refunds. Payments are handled by the marketplace, so your best option is to contact their support.",
  ],
  [
    'I always get 401 unauthenticated',
    'A few things to verify:\n\n* Is the key included in the X-API-Key header (or as a Bearer token)?\n* Did you paste it completely, without extra whitespace?\n* Has it perhaps been revoked?\n\nIf none of these apply, create a new key and try it out.',
  ],
  [
    'Who can see what I write to this assistant?',
    'Your questions are forwarded to the language model chosen by the operator. Docvet itself does not save or log the conversation. Even so, I would advise against sharing passwords or other sensitive information here.',
  ],
  [
    'What is a zip bomb?',
    'A zip bomb is a tiny archive which explodes into an enormous amount of data when decompressed, with the aim of overwhelming the software that opens it. Docvet flags these as infected.',
  ],
  [
    'How many scans do I have left this month?',
    "I can't look into your account, but you can find out yourself: call GET /api/v1/usage with your key, and check the value of scansRemaining.",
  ],
  [
    'My Word file was flagged with Docvet.Ooxml.DdeField',
    'This means your Word document contains a DDE field, a legacy feature that can launch programs upon opening. If you created the file yourself, delete the field and scan again. Otherwise, treat the document as dangerous.',
  ],
  ['Do I need a client library?', 'No, plain HTTP is enough.'],
  [
    'How do I register?',
    "Getting started is easy: send your e-mail address to POST /api/v1/signup and you'll be given your first API key in return. Store it somewhere safe, because it won't be displayed a second time.",
  ],
]

export const OWN_WORDS = ROWS.map(([question, answer], index) => ({ question, answer, heldOut: index % 3 === 2 }))
