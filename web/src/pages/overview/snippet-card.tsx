import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { snippets } from './snippets.ts'

export function SnippetCard() {
  const tabs = snippets(location.origin).map(({ title, code }) => ({
    title,
    content: <CodeBlock code={code} label={`Example in ${title}`} />,
  }))
  return (
    <Card
      title="Scan from code"
      lead={
        <>
          Set <code className="font-mono text-xs">DOCVET_KEY</code> to one of your keys. The{' '}
          <a href="/docs" className="link">
            API docs
          </a>{' '}
          have every option.
        </>
      }
    >
      <div className="px-5 pt-2 pb-5">
        <Tabs label="Language" tabs={tabs} />
      </div>
    </Card>
  )
}
