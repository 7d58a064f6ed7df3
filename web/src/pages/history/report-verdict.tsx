/** The verdict at the top of a report, in one sentence. */
import type { ScanReport } from '../../api/schema.ts'
import { ArticleLink } from '../../components/article-link.tsx'
import { kindOf } from '../../kinds.ts'
import { LOOKS } from '../../verdict/look.ts'
import { OBSTACLES, reasonOf } from '../../verdict/obstacles.ts'
import { outcomeOf } from '../../verdict/outcome.ts'

const TEXTS = {
  clean:
    'Every engine inspected the whole document. A scan finds malware, not fraud: check who sent it before you pay or sign in.',
  infected: 'Do not open this document.',
  test: 'This is the EICAR test file. Virus scanners report it to show that they work. Nothing is wrong with your computer.',
}

function textOf(scan: ScanReport): string {
  const outcome = outcomeOf(scan)
  return outcome === 'none' || outcome === 'open' ? reasonOf(scan) : TEXTS[outcome]
}

export function ReportVerdict({ scan }: { scan: ScanReport }) {
  const { icon: Icon, title, box, badge, tone } = LOOKS[outcomeOf(scan)]
  const { fileName, obstacle } = scan
  return (
    <section className={`flex items-start gap-4 rounded-lg border px-5 py-4 ${box}`} aria-label="Verdict">
      <span className={`grid size-11 shrink-0 place-items-center rounded-full ${badge}`}>
        <Icon size={22} aria-hidden />
      </span>
      <div className="min-w-0">
        <h2 className={`text-xl font-semibold tracking-[-0.01em] ${tone}`}>{title}</h2>
        <p className="wrap-anywhere">
          <b className="font-medium">{fileName ?? 'Unnamed document'}</b>
          <span className="text-fg-2"> · {kindOf(scan)}</span>
        </p>
        <p className="mt-1 text-fg-2">{textOf(scan)}</p>
        {obstacle !== null && (
          <p className="mt-1 text-sm">
            <ArticleLink href={`/problems/${OBSTACLES[obstacle].code}`} about={title} />
          </p>
        )}
      </div>
    </section>
  )
}
