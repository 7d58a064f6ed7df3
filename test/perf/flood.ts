/** Signs in with many concurrent requests until it is killed; started by sign-ins.ts. */

const [url = '', atOnce = '100'] = process.argv.slice(2)

async function signIn(email: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a meadow full of crickets' }),
  })
  await response.arrayBuffer()
}

process.send?.('ready')
for (let wave = 0; ; wave++) {
  // A new e-mail address each time, to stay below the limit per account.
  await Promise.all(Array.from({ length: Number(atOnce) }, (_, i) => signIn(`${process.pid}.${wave}.${i}@example.com`)))
}
