/** Pictures with QR codes for tests. */

import { crc32, deflateSync } from 'node:zlib'
import encodeQR from 'qr'

/** Dark squares of a code, row by row. `scale`: points of each; `border`: squares around it. */
export function qrMatrix(text: string, { scale = 4, border = 4 } = {}): boolean[][] {
  // The encoder always draws a margin.
  const cut = border === 0 ? scale : 0
  const rows = encodeQR(text, 'raw', { scale, border: Math.max(1, border) })
  return rows.slice(cut, rows.length - cut).map((row) => row.slice(cut, row.length - cut))
}

interface PngPlan {
  dark?: readonly number[]
  light?: readonly number[]
  /** Two colours by their numbers. */
  isIndexed?: boolean
}

/** In grey, or in the colours of the plan. */
export function writePng(rows: readonly (readonly boolean[])[], plan: PngPlan = {}): Buffer {
  const { dark = [0], light = [255], isIndexed = false } = plan
  const [width, height] = [rows[0]?.length ?? 0, rows.length]
  const lines = rows.map((row) =>
    Buffer.from([0, ...(isIndexed ? packedBits(row) : row.flatMap((isDark) => (isDark ? dark : light)))]),
  )
  const palette = isIndexed ? chunk('PLTE', Buffer.from([...light, ...dark])) : Buffer.alloc(0)
  const colour = isIndexed ? 3 : dark.length === 3 ? 2 : 0
  return png(width, height, isIndexed ? 1 : 8, colour, Buffer.concat(lines), palette)
}

/** Eight points in a byte, 1 is dark. */
export function packedBits(row: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(row.length / 8))
  for (const [i, isDark] of row.entries()) if (isDark) bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (0x80 >> (i & 7))
  return bytes
}

/** White, of one bit for each point. */
export function blankPng(width: number, height: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff)
  row[0] = 0
  return png(width, height, 1, 0, Buffer.alloc(row.length * height, row))
}

function png(
  width: number,
  height: number,
  depth: number,
  colour: number,
  raw: Buffer,
  palette: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, colour], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const end = chunk('IEND', Buffer.alloc(0))
  return Buffer.concat([signature, chunk('IHDR', head), palette, chunk('IDAT', deflateSync(raw)), end])
}

function chunk(type: string, content: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(type), content])
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** What the codes of these pictures say. */
export const JPEG_TEXT = 'https://evil.example/jpeg'

/** As ImageMagick writes them: baseline in grey, and progressive in colours with fewer points of them. */
export const JPEGS = {
  baseline: Buffer.from(
    '/9j/4AAQSkZJRgABAQIAHAAcAAD/2wBDADUlKC8oITUvKy88OTU/UIVXUElJUKN1e2GFwarLyL6qurfV8P//1eL/5re6////////////zv////' +
      '//////////wAALCABXAFcBAREA/8QAGQAAAwEBAQAAAAAAAAAAAAAAAgMEAAEF/8QAORAAAgEDAQUDCAoCAwAAAAAAAQIDAAQRIRIxQVFhBRMU' +
      'IjI0U3GBsfAVI3KRkqGiwdHhJDUzVPH/2gAIAQEAAD8A9GSRIoy8hwo3mkfSFr639J/it9IWvrf0n+KdDNHOhaJtoA4zjFaSaOJ0V2wXOFGN9Y' +
      'TRtM0Qb6xRkjHzzoBdQtC0of6tTgnB+eNaS6hiRGd8BxlTg60H0ha+t/Sf4rfSFr639J/iqFYOgZTkMMg1P2l6DJ7viKmkkhtra3Jto3LoCSQB' +
      'wHTrXbOaC6lKeEjXC5zgH9qGxG12dKO97ry/PzjG6nOkUz23+UhaIjiCWOnXpRC5iW+kjZEQhf8AkJAzu0+eVR3ys7hbVS0JXURDK5z047qZcL' +
      '/r1deQII+zWubiCCdovBxts410HD2VyRop+zZZVgSMqwGgHMdOtX2vosP2F+FL7S9Bk93xFTzWkl1a23dlRsprtHoKKxspLaYu7IQVxoTzFKsz' +
      'GvZkpmUtHt6ge6gsUgZ55ih2YjtIM6gan9qKQQ9oSHw6lZvOZn3EbuvSsb6CK3ZLRHjYnIJGf3NHcMXfs9mOSxBJ/DWu+z5Z7l5FZAGxvJ5eys' +
      '9u9t2VMjlSSwOntFW2vosP2F+FcuxG1s4mYrHpkj215vddnf8AYk+7+qZDaWU7lYppGIGcbv2olexW2eATvssck4OeHTpU7SSzENEqtHa6qd2n' +
      'DP3VXA8SqL6ZirS+SQBp86UmMwvILOFi0MnlMx84H5A4U+SK2uI9gyPi2GDjh+XThSTaWSwrKZpO7Y4B+R0ojYWizLEZJO8YZA+R0r0I0EcaoM' +
      '4UADNI7S9Bk93xFeWB4ruY44NjZwruoznPE02Hbsr2RERpiFxoMcj1rNtm5WUWDBVGCmzod/SqZo227YxQlFc/WKq6Y00P576atvH4lwXRlxpB' +
      'gYXdrj+uNSRzx3MghigWB23SLvHHkKBe+thcoYZHD5Bcgjnr+dPhbZ7MiPcd/wCUfJxnGp13GtfM8F9HOI2ZUTBPDjx99XxP3kSPjG0oOKXdmN' +
      'bZzMpaPTIHtqS1urSOQJDFIpkIGv8A7R9of448RD5MrMFLb8jH9Cprm4vbaQI8ykkZ0UfxR2U13cyZ71dlCNoEDUfdWvlmtrhrmN1AfC8zu/qn' +
      'XNvFawNNAuxIuMHJOMnHGgAvGhEksqNCV2mUDUrjUbuVaOcW8YmGfCN5KIPOB+QeNKmF48wtZJUbvBndp8OlenChjhjQ4yqgHHspPaXoMnu+Ip' +
      'LXRtobMeTsuo2iRuGBQ3EiQjxtudoyHZ8rdj8uVTFBA4ubTMkSaFn57unMUydzbwh0wTdKS+eGnD7zzpUEdk0SmaZ1k4gD+qkqv6Ql8P3Oymzs' +
      '7OcHOMY50NjbpczFHLABc6e0Vbcwx30ZmgZndcKBuG/r7atgUpbxqwwVUAj3UF3IsVs7sgkAx5J461GbppEXPZ5ZQPJ0yMdNK6blygQ9nMVGoX' +
      'Gg/KsXFz2ZL3MATygNlBnOopcbR3PdLMyw+HwCHPn89+OX51y9swfr7fDqxACxrkDTp7KZ2jZoEM6bKBQBshcZ1/umIsaxWwFosneKNptnzd2p' +
      '0qaSNR2lKqzC3AUajTgNOFM+kO48nwfd51xnH7V6MT95Ej4xtKDikdpegye74ipbm4lgtbXum2dpNdAeArvZ11NPcMsr7QC5xgDiKC1keLsqZ4' +
      'zhg+h+6ilW0jiilniZnlXaJU8ePHrRRpcvGGs5FjgPmq28c+B4541DJeXEsZSSTKneMCjhvLomOJJQNyjKjThyrrFY72TxwMpxrsc9PZwrqXME' +
      'o2rxHkk3AjTT7x1r14SphjKAhdkYB4DFJ7S9Bk93xFSNJZz28CyzMpjUDCg8h06UVs9jbSF0nckjGoP8UmL/AE8/2x+1daaOV7FUbJQgMMbt1e' +
      'hJeW8UhSSTDDeMGoru6N03h7bZdXHLByNePspqXMtrblblVQhcRDftYHHHu5VDc3slzGEdUABzoDT5ZLWOxkhglZixB1B5jp0r0bX0WH7C/CmM' +
      'qupVlDA8CM0vw0HqY/wCt4aD1Mf4BRCGMIUEaBTqV2Rg1wW8KkEQxgjUEKK60ETsWaJGJ4lQaywRIwZYkUjiFArrxxyY7xFbG7aGaDw0HqY/wC' +
      't4aD1Mf4BTQAoAAAA0AFf/2Q==',
    'base64',
  ),
  progressive: Buffer.from(
    '/9j/4AAQSkZJRgABAQIAHAAcAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H///' +
      '/6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wgARCABX' +
      'AFcDASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAIDAQT/xAAWAQEBAQAAAAAAAAAAAAAAAAAAAQL/2gAMAwEAAhADEAAAAelCUVeGHQ' +
      'S2VjnaypIOkUlWdeeyihS6tRGWguGljTNTl65WTKzqjTDFrgAp0gZqJSVhOhSo4c9aNULzaOgDNSVZWaurTanQcbUYjq0s6TDGmUA0DNAADABg' +
      'D//EACMQAAICAgEEAgMAAAAAAAAAAAECABEDEjITISIxEDMjQUL/2gAIAQEAAQUCJqdRZ1FgIMJAli9hRYCdRZ1F+MnAkKqkMU+vsZsN3jRmAJ' +
      'o4145OBXZUQqUrppUNZJuArRkJbXXEvFq1rHAqGeGtkwVBUIUjVK0W/QycOUHg/wDREobA7TusH1v2cdw1aqygv4xmdShZi9qWUKPOgdYd7HYZ' +
      'OG2oY1PUPiAEqbmkXYsA4Hpuy7XNpyxjyjpMiT9Efk6lQdxk4MxC42JKmsR1AG0LkwM09PsDB6ycPAhdFI+qwYXAjNtNioZywJUIvGaiaiUJQl' +
      'CUJVzUTUfH/8QAFBEBAAAAAAAAAAAAAAAAAAAAUP/aAAgBAwEBPwET/8QAGREAAwEBAQAAAAAAAAAAAAAAARARACAw/9oACAECAQE/AdFNEOh0' +
      'HWPT/8QAKBAAAgEEAgAEBwEAAAAAAAAAAAERAhAhMRIiMjNBYUJRcXKBobHB/9oACAEBAAY/AjZsxaCbbN2ZT1R4UPMFPbQ/6ddexQRxQ3ECGU' +
      '2cjfyMbOuCgkYjJtmGyJMapOb9TgtM34SZZEuzEkh+pPAphfU/whKPcqwxYkTi2TCZyWzZs5IlbJbwT8Jxbsyk5r1OVOUfcZdotKFbyzyxwhTj' +
      'iTT+iSnrI88TwxZlMGRibWzq4RsiTvk75dmKWbGUGzjSdvxZpMVtI0jRpGjVtI0rf//EACEQAQACAgICAwEBAAAAAAAAAAEAESExQVEQoWHw8Y' +
      'Fx/9oACAEBAAE/IQFup9RPqIbauKAu9S52yS92wQYV3qfUT6iDZZ4WSCyVSrEz7DcRMN+0oBAxAVo3T/EGqRPaqIQcp6XhPSrBzLipqUVbLgbX' +
      'jIljGuzLQKorWx0EigtbnpS5Xo8E7SoJV9MckDojBbThLG29zzKFaKjhMrOQwKDrwus1hSWADjG6W11Ua8EdCFzInrBVFvCGJdfMdd3qJvSBFQ' +
      '9kqVbJTCXPiE1coCZpijcDUM4iM6EyqGtp8Sl26OZdSZhpOjwni6TMDm6ZlX0nLHlOOYwXj44sqqhUt6lq1TENE9RiKX8S4NjiWqrV1L0nOiIo' +
      'Z8nM+SHgQKrRXFQAwbGWoFBqnDJUPZ4Vjqsi8V4iIN3AwlF4gRZcIwKnCYw+Go0nohlBhWtarwlHQo4iuDntxYR1uJU5S/gRhQgMf1KAhErNz0' +
      'oglJc/Gn40wVSuqn5kWbQ/yBNgP5EbA/7Pxp+N4//aAAwDAQACAAMAAAAQlPG/LNbkmAQ9b+RYoxbgScuNTK5ipNdhhd89/8QAGxEAAgIDAQAA' +
      'AAAAAAAAAAAAAAEQESAwMWH/2gAIAQMBAT8QbLLLLh5Ppw9wc0xQ9n//xAAbEQACAwEBAQAAAAAAAAAAAAAAARARITFBUf/aAAgBAgEBPxBJND' +
      'QooUjiHmmJljGwW6U7oteCWxwLBfGNGh23ajiHZechxZcW4//EACYQAQACAQIFBAMBAAAAAAAAAAEAESExQVFhcbHwgZGh0cHh8RD/2gAIAQEA' +
      'AT8QRvQ1Z4V9Twr6iKgGtKlApdYawAcK0rzjABzqWnzeUCw3g5nhX1PCvqASWJZO07kRFudQNjlH+ItdD+IKXr+mkz4qbirHPlLVc1EL0x5whN' +
      'C5Bu18t9J6FCJ0mhyM4NukT7AMBxPufF9p2nclmxq+gip0aYXlEimrD0jydlN5DL+IG3aropp9RaWNil/mI0tUX4h+I1qvDpGzShx1J8X2hDTD' +
      'adZ/O/UXIAvh+IJbS1pvblyiRlCtMbX7Q4zIAY8xEdGQmh8CW7SKa2+OUXGyofDlFxorDw5QwboAXO07kDgACu+bL9wpgrg85aUAU6TrylhZuB' +
      'isYfmUprMUK0ZrzWD9M2ob8CUXDcWJxzLHvtF1lzCjkF2339ZjeqGo00w2HWFGjDP9mLRRarK/RATil4D6lkzJRDJ7QmorxOn6mCkKbWs1vAAu' +
      'UBl3GnCCJvQPQ+DvANOt6Y7coqdWA1O07kQOgWTQxAL7LkV4RJ34LxNOXEjhWqN9unvErcoH6/z15FN1VcYmcBbHpGGEw0NefWMYpAPtDOkrLf' +
      'MbAgNllcsRUuppTB8RNGxFF3pNDhCP1a9PmA6DALAY5dIV0oClLz+4FlC4DTLiAMAGTGxjadVZq6/ExvVDU7TuTjZHA7EqYi2gbkZehi+0stmK' +
      '3335wGo8wcdne4nvLUoi040FjHxFQ1V7sdNofsYJjHuc4kpSih2J2nciswjB4HLlFTqlZH6nxv4lgJYYaaRPWGpTEwC8KbM79I3QlN2BvXpBRo' +
      'N4GIBEOR4nLlPi+0RADslz+Yn8xAmbWtFMCRCTRBEyZ3QwMmNwEqsZpS5/MT+YgAAABoE//9k=',
    'base64',
  ),
}
