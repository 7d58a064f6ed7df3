/** Names of papers that come by mail: invoices, contracts, applications. */

const PAPER =
  /(?:^|[\s_.()-])(?:e-?)?(?:invoices?|receipts?|payments?|remittance|statement|contract|quotation|resume|shipment|shipping|delivery|purchase|voucher|rechnung(?:en)?|bestellung|mahnung|lieferschein|bewerbung|angebot|vertrag|facture|commande|devis|factura|pedido|fattura|ordine|faktura)(?:[\s_.()#-]|\d|$)|\.(?:pdf|docx?|xlsx?|jpe?g|png|txt)\.\w+$/i

/** Whether a file is called like a paper, whatever its extension is. */
export function isPaperName(name: string): boolean {
  return PAPER.test(name.replace(/\.(?!pdf|docx?|xlsx?|jpe?g|png|txt)\w+$/i, ' '))
}
