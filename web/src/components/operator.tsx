import { useSettings } from '../settings.ts'

/** The people who run this service, as a link if they can be reached. */
export function Operator() {
  const contact = useSettings()?.contact
  if (!contact) return <>the operator of this service</>
  return (
    <a href={contact} className="link">
      the operator of this service
    </a>
  )
}
