/** Honest questions from a review, with answers. */

/** Each must be answered unchanged. */
export const REVIEW_HONEST: readonly [question: string, answer: string][] = [
  [
    'My customers upload CVs. Can I drop those into your thing and be told if one is nasty?',
    'Yes. Send each CV as one document to POST https://scan.docvet.test/api/v1/scan with your API key; the answer is clean or infected, with the name of the threat if there is one.',
  ],
  [
    'whats the biggest pdf i can throw at it',
    'A PDF can be up to 25 MB, that is 26,214,400 bytes. Anything bigger is turned away with 413.',
  ],
  [
    'Do you keep a copy of what I send?',
    'No, we hold the document in memory only while it is being scanned and then forget it. We do keep a hash, its size and the verdict, but never the content or the file name.',
  ],
  [
    'My boss wants to know if this is GDPR safe',
    'Documents are never saved to disk or logged, which helps. The operator of this installation can answer questions about data protection agreements; I have no details about certifications.',
  ],
  [
    'I lost my api key, can you send it to me again?',
    'No. A key is shown only once, when it is made, because only a hash of it is stored. Create a new one with POST https://scan.docvet.test/api/v1/keys and revoke the lost one.',
  ],
  [
    'Somebody pushed our key to GitHub. Panic!',
    'Stay calm: revoke that key right away with DELETE https://scan.docvet.test/api/v1/keys/{id}; it stops working at once. Then create a new one and put it into your program.',
  ],
  [
    'Why is my Word file with macros flagged as a virus?',
    'Your document probably holds something that acts by itself when opened, such as a DDE field or a remote template. Look at the name of the threat in the answer; remove that part and scan the file again.',
  ],
  [
    'I get 422 for a password protected spreadsheet, what now?',
    'We cannot look inside an encrypted spreadsheet, so there is no verdict. Take the password off and scan it again. You were not charged.',
  ],
  [
    'Is it OK to scan 10 files in parallel?',
    'On the free plan you may send a burst of 10 at once, and after that one scan a second. If you go faster, you get 429 with Retry-After.',
  ],
  [
    'When does my allowance start over?',
    'Your allowance starts again when the next UTC calendar month begins. GET https://scan.docvet.test/api/v1/usage shows how many scans are left.',
  ],
  [
    'Can I have it call my server back when the scan is done?',
    'No, there is no callback or webhook. The verdict comes back in the response to your request, so your program simply waits for it.',
  ],
  [
    'does it work offline / air gapped',
    'Yes, the service runs on your own machines and the embedded engine needs no network. If you add clamd, its signatures need updating from elsewhere.',
  ],
  [
    'How sure can I be that a clean file really is harmless?',
    'Clean means that every engine looked at the whole document and found nothing. It is not a guarantee: a brand-new attack can be unknown to every scanner.',
  ],
  [
    'The login link in my email is dead',
    'A reset link is valid for 10 minutes and works only once, and a newer link voids an older one. Ask for a fresh one with POST https://scan.docvet.test/api/v1/auth/forgot-password.',
  ],
  [
    'How long does one scan usually take?',
    'Most scans are done quickly; at the latest after 30 seconds the service gives up and answers 503 scan_timeout. I do not know typical times.',
  ],
  [
    'Do failed scans cost me anything?',
    'No. You are only charged when you actually get a verdict back. Errors such as 413, 422 or 503 are free.',
  ],
  [
    'Can you check zip files inside zip files?',
    'Yes. Docvet opens archives inside archives, down to 16 levels, and looks at every part. Past that limit the answer is 422 document_too_complex.',
  ],
  [
    'What do I need on my server to run this?',
    'You need git, npm and Node 20 or newer. Clone the repository, run npm ci && npm start, and it listens on port 8080.',
  ],
  [
    'How do I know the virus scanner is actually working?',
    'Scan the EICAR test file: you should get infected with the threat Docvet.Test.Eicar. You can also look at https://scan.docvet.test/api/v1/health, which shows whether each engine is up.',
  ],
  [
    'I signed up twice and got a 409',
    'That means an account with your e-mail address already exists. Use one of its keys, or reset the password and sign in.',
  ],
  [
    'Can I use this from PHP?',
    'Sure. Any language that can send an HTTP request will do, PHP included. Post the file as multipart/form-data with your key in the X-API-Key header.',
  ],
  [
    'What happens if ClamAV crashes in the middle of a scan?',
    'You get a 503 error rather than a verdict. Docvet never says clean when one of its engines is missing. Wait for Retry-After and send the document again.',
  ],
  [
    'Who can read what I type here?',
    'Your question goes to the language model that the operator has set up. Conversations are not stored or logged here, only counted. Please do not type secrets.',
  ],
  [
    'Is my file safe with you?',
    'Your file is held in memory during the scan and forgotten afterwards. It is opened only inside locked-in child processes without network access.',
  ],
  [
    'Can a scan damage my document?',
    'No, a scan only reads the document. Nothing is changed in it, and your copy stays as it is.',
  ],
  [
    'Are these limits per user or per key?',
    'The monthly quota is counted per API key. The rate limit for scans depends on the plan of the key, too.',
  ],
  [
    'We are a small law firm and want to check mail attachments automatically. Where do we begin?',
    'Sign up with POST https://scan.docvet.test/api/v1/signup to get your first key. Then let your mail gateway send each attachment to POST https://scan.docvet.test/api/v1/scan and act on the status in the answer.',
  ],
  [
    'Can I move to a bigger package in the middle of the month?',
    'Yes. A larger plan comes with a subscription from the marketplace and applies as soon as it is activated.',
  ],
  [
    'Do you support Mac?',
    'Docvet needs Node 20 or newer, so it should run on a Mac. The articles do not say more about it.',
  ],
  [
    'Does the scanner spot phishing links in a PDF?',
    'It looks for malware such as scripts, embedded programs and remote templates. I do not know whether ordinary phishing links are detected.',
  ],
  [
    'Please tell me whether the archive limit also counts for docx.',
    'Yes, it does: a docx is built on ZIP, so the same limits apply: 16 levels, 10,000 entries and 400 MB unpacked.',
  ],
  [
    'Is the file scan safe for confidential contracts?',
    'Documents are never stored and never logged. They stay in memory while they are scanned.',
  ],
  [
    'Can I check if my document was scanned before?',
    'No, there is no lookup. With the same Idempotency-Key within 24 hours you get the same answer again, and are charged once.',
  ],
  [
    'Is a PDF with JavaScript dangerous or is it infected?',
    'A PDF with a script is called infected only when the script does something a threat does, such as starting a program.',
  ],
  [
    'How do I make my own YARA rules apply?',
    'Put your *.yar files into the folder named by DOCVET_RULES_DIR. They are picked up while the service is running.',
  ],
  ['What should my program check in the answer?', 'Check response.status in your program: it is clean or infected.'],
  [
    'What should my program check in the answer?',
    'Read the field status of the JSON: "status": "clean" or "status": "infected".',
  ],
  ['Can I use it from ASP.NET?', 'Yes, any language with an HTTP library can do it, ASP.NET included.'],
  [
    'Which names can a threat have?',
    'Names of ours begin with Docvet, such as Docvet.Bomb.Ratio or Docvet.Embedded.Executable. Others come from clamd.',
  ],
  [
    'What threat names are there?',
    'For example Docvet.Zip.HiddenEntry, Docvet.Script.Downloader and Docvet.Test.Eicar.',
  ],
  ['Is my document stored after the check?', 'No. It is held in memory while it is scanned and then forgotten.'],
  [
    'Is this document scanner safe to use for malware samples?',
    'Documents are opened only inside locked-in child processes without network, files or privileges.',
  ],
  [
    'Can I trust a clean verdict for my file?',
    'Clean means that every engine looked at the whole document and found nothing. It is no promise for all time.',
  ],
  ['Are my documents safe?', 'They are never written to lasting storage and never logged.'],
  [
    'Can you scan my PDF for viruses?',
    'I cannot scan anything myself. Send the PDF to POST https://scan.docvet.test/api/v1/scan with your API key.',
  ],
  ['Does the file get a virus check in the zip too?', 'Yes. Every part of an archive is looked at on its own.'],
  [
    'I need to check the zip for malware before we open it',
    'Send the ZIP to POST https://scan.docvet.test/api/v1/scan. Every member is unpacked and looked at; the answer is clean or infected.',
  ],
  ['How many keys can I have?', 'On the plan free an account may have five keys in a month.'],
  ['How many keys can I have?', 'You may create 5 keys a month on the plan free, revoked keys included.'],
  ['How big may a file be?', 'Up to 25MB. That is 25 megabytes.'],
  ['How big may a file be?', '25 MiB, which is 26214400 bytes.'],
  [
    'How many requests per minute may I send?',
    '60 requests a minute for each address, and 20 questions a minute to the assistant.',
  ],
  [
    'How do I scan from Python?',
    'Use requests: open the file and post it as the part file, with your key in the header X-API-Key. Let the library build the form.',
  ],
  [
    'How do I scan a document with curl?',
    'curl -X POST https://scan.docvet.test/api/v1/scan -H "X-API-Key: $DOCVET_KEY" -F file=@report.pdf',
  ],
  ['Which port does it use?', 'Port 8080 by default. Set DOCVET_PORT to change it.'],
  [
    'My scan says infected but the document is harmless',
    'No scanner is always right. Look at the name of the threat, and if you are sure that the verdict is wrong, tell the operator the scanId.',
  ],
  [
    'what if i forget my password',
    'Ask for a reset link with POST https://scan.docvet.test/api/v1/auth/forgot-password. The link works once and is valid for 10 minutes.',
  ],
  ['Do you sell my data?', 'No. Documents are never stored, and nothing is used to train anything.'],
  [
    'Does the free tier need a credit card?',
    'Signing up needs only an e-mail address. The articles do not mention a credit card.',
  ],
  ['Is there a status page?', 'Look at https://scan.docvet.test/api/v1/health: it shows whether each engine is up.'],
  [
    'Can two people share one account?',
    'There is one account for each e-mail address, and it can have several keys. Give each person or program a key of its own.',
  ],
  ['What time zone does the month use?', 'The month is a UTC calendar month.'],
  [
    'Which one should I pick, pro or free?',
    'It depends on how many scans you need: free has 500 scans a month for each key.',
  ],
  ['Can I delete my account?', 'I do not know. Please ask the operator of this installation.'],
  [
    'Why is scanning so slow today?',
    'A scan has up to 30 seconds. If an engine is down or too many scans run at once you get 503; https://scan.docvet.test/api/v1/health shows the state.',
  ],
  [
    'Will my message be read by a human?',
    'Conversations are neither stored nor logged. They go to the language model that the operator has configured.',
  ],
  ['it says "too many files"', 'One request scans exactly one document. Send the others in requests of their own.'],
  [
    'Do you accept Apple Pages or Keynote files?',
    'Those are not on the list. Accepted are PDF, Office documents, text and ZIP.',
  ],
  [
    'Can I scan pictures?',
    'Images are not accepted on their own; the answer is 415. Inside a document or archive they are looked at.',
  ],
  [
    'What is the uptime guarantee?',
    'I do not know of a guarantee; ask the operator. The health page shows the state now.',
  ],
  [
    'What are the best practices for storing my key?',
    'Keep it in an environment variable or a secret file, never in the code. If it leaks, revoke it right away.',
  ],
]

/** After "How do I rotate an API key?" */
export const FOLLOW_UPS: readonly string[] = [
  'Can you elaborate?',
  "I don't get it",
  'Tell me more',
  'What about Excel?',
  'That did not work',
  'Still the same error',
  'Could you give an example?',
  'Why?',
  'Which order is safer?',
  'Is that permanent?',
  'Can I undo that?',
  'And in Postman?',
  'Do it for all of them?',
  'Does that hurt running scans?',
  'Could you rephrase that in simpler words?',
  'ok and how much does it cost then',
  'Sorry, I meant revoke',
  'Say that again please',
]

export const SMALL_TALK: readonly string[] = [
  'Thanks, that helped!',
  'Thanks a lot!',
  'Great, got it',
  'Good morning!',
  'Are you a human?',
  'Bye',
  'Hi, can you help me?',
]
