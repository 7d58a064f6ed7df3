import { PageHead } from '../../components/page-head.tsx'
import { Scanner } from '../../scan/scanner.tsx'

export default function ScanPage() {
  return (
    <>
      <PageHead
        title="Scan"
        lead="Several documents are scanned one after the other. Each verdict counts toward your quota."
      />
      <Scanner />
    </>
  )
}
