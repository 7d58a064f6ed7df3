/** A page of the service that explains something. In a new tab: the scanned documents live in this one. */
import { ExternalLink } from './icons.tsx'

interface ArticleLinkProps {
  href: string
  /** The topic, for those who hear the link alone. */
  about: string
}

export function ArticleLink({ href, about }: ArticleLinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener" className="link inline-flex min-h-6 items-center gap-1">
      What this means
      <ExternalLink size={12} aria-hidden />
      <span className="sr-only">: {about} (opens in a new tab)</span>
    </a>
  )
}
