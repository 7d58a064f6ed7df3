import { CodeBlock } from '../../components/code-block.tsx'
import { CodeText } from '../../components/code-text.tsx'
import type { Block, Recipe } from './recipe.ts'

function BlockView({ block, label }: { block: Block; label: string }) {
  if (block.kind === 'code') return <CodeBlock code={block.code} label={label} />
  if (block.kind === 'heading') return <h3 className="mt-2 text-sm font-semibold">{block.text}</h3>
  if (block.kind === 'paragraph')
    return (
      <p className="text-sm text-fg-2">
        <CodeText text={block.text} />
      </p>
    )
  return (
    <ul className="grid list-disc gap-1.5 pl-5 text-sm text-fg-2">
      {block.items.map((item) => (
        <li key={item}>
          <CodeText text={item} />
        </li>
      ))}
    </ul>
  )
}

/** The text of a recipe; each code is named after the heading before it, with a number, because names must differ. */
export function RecipeText({ recipe }: { recipe: Recipe }) {
  let heading = recipe.title
  let count = 0
  return (
    <div className="grid gap-3 p-5">
      {recipe.blocks.map((block, index) => {
        if (block.kind === 'heading') heading = block.text
        else if (block.kind === 'code') count++
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never change places
        return <BlockView key={index} block={block} label={`${recipe.title}: ${heading}, code ${count}`} />
      })}
    </div>
  )
}
