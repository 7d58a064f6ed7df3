/** Values of `next` on the sign-in page: those of other sites and of no page, and those that must survive. */

const HOST = 'evil.example'

/** All of them end on the overview. */
export const FOREIGN: readonly string[] = [
  // A dot segment disappears, and two slashes are left, which name a host.
  `/.//${HOST}`,
  `/..//${HOST}`,
  `/././/${HOST}/keys`,
  `/keys/..//${HOST}`,
  `/keys/../..//${HOST}`,
  `/%2e//${HOST}`,
  `/%2e%2e//${HOST}`,
  `/.%2E//${HOST}`,
  `/.\\/${HOST}`,
  `/./\\${HOST}`,
  `/.\\\\${HOST}`,
  `/\t.//${HOST}`,
  `/.\t//${HOST}`,
  `/.\n/\n/${HOST}`,
  `/.///${HOST}`,
  `/.////${HOST}`,
  `/.//user@${HOST}`,
  `/.//${HOST}:443/keys`,
  `/.//${HOST}%2fkeys`,
  `/.//${HOST}?next=/keys`,
  `/.//${HOST}#/keys`,
  // A host at once.
  `//${HOST}`,
  `///${HOST}`,
  `//${HOST}/keys`,
  `/\\${HOST}`,
  `\\\\${HOST}`,
  `\\/${HOST}`,
  `/\t/${HOST}`,
  `/\r\n/${HOST}`,
  `\t//${HOST}`,
  ` //${HOST}`,
  `//[::1]/`,
  `//0x7f000001/`,
  `//127.0.0.1:1/`,
  // Another scheme, or ours without a page.
  `https://${HOST}/`,
  `https:${HOST}`,
  `https:/${HOST}`,
  `http:keys`,
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<p>',
  'blob:null/1',
  'file:///etc/passwd',
  '//',
  '',
  'keys',
  '?next=/keys',
  '#/keys',
  // Of this site, but no page of the dashboard.
  '/api/v1/keys',
  '/history/a/b',
  '/keys%2f',
  '/%6beys',
  '/nothing',
]

/** Where people end with a page of the dashboard. */
export const OWN: Readonly<Record<string, string>> = {
  '/': '/',
  '/keys': '/keys',
  '/history?status=infected&from=2026-11-01': '/history?status=infected&from=2026-11-01',
  '/history/019a8b1c-7f4e-7c3a-9d2b-5e6f70819203#engines': '/history/019a8b1c-7f4e-7c3a-9d2b-5e6f70819203#engines',
  '/marketplace/landing?token=a%2Fb%3D': '/marketplace/landing?token=a%2Fb%3D',
  '/sandbox': '/sandbox',
  '/keys/../usage': '/usage',
  [`/usage?from=//${HOST}`]: `/usage?from=//${HOST}`,
}
