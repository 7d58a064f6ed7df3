/** Forms as clients send them, byte by byte. Every parser must see the same file in them. */

import { bytes, type FormRow, SHOWN } from './row.ts'

interface Client {
  what: string
  /** The Content-Type of the request, with its boundary as `BOUNDARY`. */
  type?: string
  boundary: string
  /** The headers of each part; the last one is the file, the others are fields. */
  heads: string[]
  before?: string
  after?: string
  /** Old versions of a parser that want the headers in another case. */
  unseenBy?: string[]
}

const NOTE = 'Content-Disposition: form-data; name="note"'
const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
const TEXT = 'Content-Type: text/plain'
const OCTETS = 'Content-Type: application/octet-stream'
const UTF8_NAME = bytes(Buffer.from('r\u00e9sum\u00e9.txt')).toString('latin1')

const CLIENTS: Client[] = [
  {
    what: 'curl 7',
    boundary: '------------------------684d8e3df9b64a53',
    heads: [
      NOTE,
      `Content-Disposition: form-data; name="other"\r\n${TEXT}`,
      `${FILE}\r\nContent-Type: application/pdf`,
    ],
  },
  {
    what: 'curl 8, a quote in the name',
    boundary: '------------------------k9V4GaA0Wj3wYfRMZhCyQz',
    heads: [`Content-Disposition: form-data; name="file"; filename="a%22b.txt"\r\n${TEXT}`],
  },
  {
    what: 'curl before 7.81, a quote in the name',
    boundary: '------------------------98fd0559fd20daae',
    heads: [`Content-Disposition: form-data; name="file"; filename="a\\"b.txt"\r\n${TEXT}`],
  },
  {
    what: 'fetch of Node (undici)',
    boundary: '----formdata-undici-028229872002',
    heads: [NOTE, `Content-Disposition: form-data; name="file"; filename="${UTF8_NAME}"\r\n${TEXT}`],
  },
  {
    what: 'Chrome, Safari and Edge',
    boundary: '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    heads: [NOTE, `${FILE}\r\n${TEXT}`],
  },
  {
    what: 'Firefox',
    boundary: '---------------------------114772229410704779042051621609',
    heads: [NOTE, `${FILE}\r\n${TEXT}`],
  },
  {
    what: 'Firefox since 128',
    boundary: '----geckoformboundary3ad9ab0bb8e38d35ba6d1bd0bd7ae2f0',
    heads: [NOTE, `${FILE}\r\n${OCTETS}`],
  },
  { what: 'Python requests', boundary: '46145904563fe432f72cbfe86f45f2fc', heads: [NOTE, FILE] },
  { what: 'Python httpx', boundary: 'c364018d2512a20abf3d965377e90483', heads: [NOTE, `${FILE}\r\n${TEXT}`] },
  {
    what: 'Python aiohttp',
    boundary: '88f15f420e4b4172b1c8b84a1c4c8502',
    heads: [`${TEXT}; charset=utf-8\r\n${NOTE}`, `${TEXT}\r\n${FILE}`],
  },
  {
    what: 'Go mime/multipart',
    boundary: '0b1c3c7e1b5b8d3b7ed0a2c4e2e9e8c6f4a1d2b3c4d5e6f708192a3b4c5d',
    heads: [NOTE, `${FILE}\r\n${OCTETS}`],
  },
  { what: 'PHP curl', boundary: '------------------------f2b1d0cd1b1f7a3c', heads: [NOTE, `${FILE}\r\n${OCTETS}`] },
  {
    what: 'PHP Guzzle',
    boundary: 'e1c1b7d2a8f5f3c6b9d0a4e7f8c2b5d6a9e0f1c3',
    heads: [
      'Content-Disposition: form-data; name="note"\r\nContent-Length: 5',
      `${FILE}\r\nContent-Length: ${SHOWN.length}\r\n${TEXT}`,
    ],
  },
  {
    what: 'PHP Symfony',
    boundary: 'qW3rT5yU',
    heads: [
      `${TEXT}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n${NOTE}`,
      `${TEXT}\r\nContent-Transfer-Encoding: 8bit\r\n${FILE}`,
    ],
  },
  {
    what: 'Java, written by hand',
    type: 'multipart/form-data; boundary="BOUNDARY"',
    boundary: '===1700000000000===',
    heads: [`${NOTE}\r\n${TEXT}; charset=UTF-8`, `${FILE}\r\n${TEXT}\r\nContent-Transfer-Encoding: binary`],
  },
  {
    what: 'Java HttpClient with a UUID',
    type: 'multipart/form-data;boundary=BOUNDARY',
    boundary: '3f0c8a52-7d0e-4c57-9e0c-5a5d3f0d7c11',
    heads: [NOTE, `${FILE}\r\n${OCTETS}`],
  },
  {
    what: 'Apache HttpClient',
    boundary: 'mYp1vVq0G7kQy3sU_8-DJw2oXcLr5TzBnH',
    heads: [
      `${NOTE}\r\n${TEXT}; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit`,
      `${FILE}\r\n${OCTETS}\r\nContent-Transfer-Encoding: binary`,
    ],
  },
  {
    what: 'Apache HttpClient, a charset',
    type: 'multipart/form-data; boundary=BOUNDARY; charset=UTF-8',
    boundary: 'httpclient_boundary_b6a1e2',
    heads: [FILE],
  },
  {
    what: 'OkHttp',
    boundary: 'c0ffee12-3456-7890-abcd-ef0123456789',
    heads: [`${NOTE}\r\nContent-Length: 5`, `${FILE}\r\n${TEXT}\r\nContent-Length: ${SHOWN.length}`],
  },
  {
    what: 'Spring RestTemplate',
    type: 'multipart/form-data;boundary=BOUNDARY;charset=UTF-8',
    boundary: 'Xk3vT9LmQ2-pRz7_Yw',
    heads: [
      `${NOTE}\r\n${TEXT};charset=UTF-8\r\nContent-Length: 5`,
      `${FILE}\r\n${TEXT}\r\nContent-Length: ${SHOWN.length}`,
    ],
  },
  {
    what: 'Jersey',
    type: 'multipart/form-data;boundary=BOUNDARY',
    boundary: 'Boundary_1_1585714120_1700000000000',
    heads: [
      `${TEXT}\r\n${NOTE}`,
      `${TEXT}\r\nContent-Disposition: form-data; filename="a.txt"; modification-date="Tue, 17 Nov 2026 09:00:00 GMT"; size=${SHOWN.length}; name="file"`,
    ],
  },
  {
    what: '.NET MultipartFormDataContent',
    type: 'multipart/form-data; boundary="BOUNDARY"',
    boundary: '7f1b9a3e-52a4-4ef1-8a3c-0d0b6f2c9e77',
    heads: [
      `${TEXT}; charset=utf-8\r\nContent-Disposition: form-data; name=note`,
      `Content-Disposition: form-data; name=file; filename=a.txt; filename*=utf-8''a.txt`,
    ],
  },
  {
    what: '.NET, written by hand',
    boundary: '---------------------------8dc3f5a1b2c3d4e',
    heads: [NOTE, `${FILE}\r\n${TEXT}`],
    before: '\r\n',
  },
  {
    what: 'Postman',
    boundary: '--------------------------214912308475019283746501',
    heads: [NOTE, `${FILE}\r\n${TEXT}`],
  },
  {
    what: 'axios and form-data',
    boundary: '--------------------------515890814546601021194782',
    heads: [NOTE, `${FILE}\r\n${TEXT}`],
  },
  {
    what: 'node-fetch 3',
    boundary: '----8329170446205913378412906653',
    heads: [`${NOTE}`, `${FILE}\r\n${OCTETS}`],
    after: '\r\n',
  },
  {
    what: 'Ruby multipart-post',
    boundary: '-----------RubyMultipartPost-3a1f7e',
    heads: [NOTE, `${FILE}\r\nContent-Length: ${SHOWN.length}\r\n${TEXT}\r\nContent-Transfer-Encoding: binary`],
    after: '\r\n',
  },
  {
    what: 'Rust reqwest',
    boundary: '5f1a2b3c4d5e6f70-8192a3b4c5d6e7f8-0a1b2c3d4e5f6071-829304a5b6c7d8e9',
    heads: [NOTE, `${FILE}\r\n${TEXT}`],
  },
  {
    what: 'Dart http',
    unseenBy: ['python-multipart'],
    type: 'multipart/form-data; boundary=BOUNDARY',
    boundary: 'dart-http-boundary-x7Y+q_1.Zk3',
    heads: [
      NOTE,
      `content-type: application/octet-stream\r\ncontent-disposition: form-data; name="file"; filename="a.txt"`,
    ],
  },
  { what: 'scripts with a fixed boundary and no last line end', boundary: 'boundary', heads: [FILE], after: '' },
]

export const CLIENT_FORMS: readonly (FormRow & { unseenBy: string[] })[] = CLIENTS.map((client) => {
  const {
    what,
    type = 'multipart/form-data; boundary=BOUNDARY',
    boundary,
    heads,
    before = '',
    after = '\r\n',
    unseenBy = [],
  } = client
  const parts = heads.map(
    (head, i) => `--${boundary}\r\n${head}\r\n\r\n${i === heads.length - 1 ? SHOWN : 'hello'}\r\n`,
  )
  const body = `${before}${parts.join('')}--${boundary}--${after}`
  return { what, type: type.replace('BOUNDARY', boundary), body: bytes(body), answer: 'clean', unseenBy }
})
