/** Azure Blob Storage, with a shared access signature. */
import type { Dialect, ListedObject } from './dialect.ts'
import { checkedUrl } from './dialect.ts'
import { plainEtag } from './events.ts'
import { encodePath, encodeQuery } from './signature.ts'
import type { ObjectSource } from './sources.ts'
import { elements, escapeXml, textIn } from './xml.ts'

/** The first with tags is 2019-12-12. */
const API_VERSION = '2021-12-02'
const LIST_PAGE_MAX = 1_000

function readBlob(xml: string): ListedObject {
  const name = textIn(xml, 'Name') ?? ''
  return {
    key: /<Name Encoded="true">/.test(xml) ? decodeURIComponent(name) : name,
    size: Number(textIn(xml, 'Content-Length') ?? Number.NaN),
    etag: plainEtag(textIn(xml, 'Etag') ?? ''),
    changedAt: Date.parse(textIn(xml, 'Last-Modified') ?? ''),
  }
}

export function azureDialect({ endpoint, sas }: ObjectSource): Dialect {
  /** The signature stays as it is: its parts are encoded already. */
  const urlOf = (bucket: string, key: string | null, query: Readonly<Record<string, string>>): string =>
    checkedUrl(
      endpoint,
      `/${bucket}${key === null ? '' : `/${encodePath(key)}`}`,
      [encodeQuery(query), sas].filter((each) => each !== '').join('&'),
    )

  return {
    address: ({ bucket, key, query = {}, headers = {} }) => ({
      url: urlOf(bucket, key, query),
      headers: { ...headers, 'x-ms-version': API_VERSION },
    }),
    versionQuery: (version) => ({ versionid: version }),
    // It does not delete the current version by its id.
    versionHeader: null,
    tagsQuery: { comp: 'tags' },
    writeTags: (tags) => {
      const list = Array.from(
        tags,
        ([key, value]) => `<Tag><Key>${escapeXml(key)}</Key><Value>${escapeXml(value)}</Value></Tag>`,
      )
      return `<?xml version="1.0" encoding="utf-8"?><Tags><TagSet>${list.join('')}</TagSet></Tags>`
    },
    copyHeaders: ({ bucket, key, version, etag }) => ({
      'x-ms-copy-source': urlOf(bucket, key, version === null ? {} : { versionid: version }),
      'x-ms-requires-sync': 'true',
      ...(etag !== null && { 'x-ms-source-if-match': `"${etag}"` }),
    }),
    checksumHeader: null,
    isAppendable: (headers) => headers['x-ms-blob-type'] !== 'BlockBlob',
    isCopied: (headers) => headers['x-ms-copy-status'] === 'success',
    listQuery: ({ prefix }, cursor) => ({
      restype: 'container',
      comp: 'list',
      maxresults: `${LIST_PAGE_MAX}`,
      ...(prefix !== '' && { prefix }),
      ...(cursor !== null && { marker: cursor }),
    }),
    readList: (xml) => ({
      objects: elements(xml, 'Blob').map(readBlob),
      next: textIn(xml, 'NextMarker') || null,
    }),
  }
}
