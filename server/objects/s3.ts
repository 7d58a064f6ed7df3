/** Amazon S3 and what speaks like it. */
import { hash } from 'node:crypto'
import type { Dialect, ListedObject, ListedPage } from './dialect.ts'
import { checkedUrl } from './dialect.ts'
import { plainEtag } from './events.ts'
import { encodePath, encodeQuery, signed } from './signature.ts'
import type { ObjectSource } from './sources.ts'
import { elements, escapeXml, textIn } from './xml.ts'

const LIST_PAGE_MAX = 1_000

function readObject(xml: string, decode: (key: string) => string): ListedObject {
  return {
    key: decode(textIn(xml, 'Key') ?? ''),
    size: Number(textIn(xml, 'Size') ?? Number.NaN),
    etag: plainEtag(textIn(xml, 'ETag') ?? ''),
    changedAt: Date.parse(textIn(xml, 'LastModified') ?? ''),
  }
}

/** The next page begins after the last key, which stays valid for ever, unlike a token of the store. */
function readList(xml: string): ListedPage {
  const isEncoded = textIn(xml, 'EncodingType') === 'url'
  const decode = (key: string) => (isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key)
  const objects = elements(xml, 'Contents').map((each) => readObject(each, decode))
  const isLast = textIn(xml, 'IsTruncated') !== 'true'
  return { objects, next: isLast ? null : (objects.at(-1)?.key ?? '') }
}

export function s3Dialect(source: ObjectSource): Dialect {
  const { endpoint, pathStyle, kind } = source
  const credentials = { ...source, sessionToken: source.sessionToken ?? undefined }
  const { protocol, host } = new URL(endpoint)

  return {
    address({ method, bucket, key, query = {}, headers = {}, body = '' }) {
      const base = pathStyle ? endpoint : `${protocol}//${bucket}.${host}`
      const path = `${pathStyle ? `/${bucket}` : ''}/${key === null ? '' : encodePath(key)}`
      const url = checkedUrl(base, path, encodeQuery(query))
      // Some stores insist on it for tags.
      const checked = body === '' ? headers : { ...headers, 'content-md5': hash('md5', body, 'base64') }
      return { url, headers: signed({ method, url, headers: checked, body }, credentials) }
    },
    versionQuery: (version) => (kind === 'gcs' ? { generation: version } : { versionId: version }),
    versionHeader: kind === 'gcs' ? 'x-goog-generation' : 'x-amz-version-id',
    tagsQuery: { tagging: '' },
    writeTags: (tags) => {
      const list = Array.from(
        tags,
        ([key, value]) => `<Tag><Key>${escapeXml(key)}</Key><Value>${escapeXml(value)}</Value></Tag>`,
      )
      return `<Tagging xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><TagSet>${list.join('')}</TagSet></Tagging>`
    },
    copyHeaders: ({ bucket, key, version, etag }) => ({
      'x-amz-copy-source': `/${bucket}/${encodePath(key)}${version === null || kind === 'gcs' ? '' : `?${encodeQuery({ versionId: version })}`}`,
      ...(etag !== null && { 'x-amz-copy-source-if-match': `"${etag}"` }),
    }),
    // Google takes no generation in a copy of this kind.
    checksumHeader: kind === 'gcs' ? { name: 'x-goog-hash', value: /crc32c=([\w+/=]{1,16})/ } : null,
    isAppendable: () => false,
    isCopied: (_headers, body) => elements(body, 'ETag').length > 0,
    listQuery: ({ prefix }, cursor) => ({
      'list-type': '2',
      'max-keys': `${LIST_PAGE_MAX}`,
      'encoding-type': 'url',
      ...(prefix !== '' && { prefix }),
      ...(cursor !== null && { 'start-after': cursor }),
    }),
    readList,
  }
}
