/** Classes of COM objects that documents have no reason to load. Data only. */

/**
 * `rtf`: malicious in RTF, where only attacks use it; suspicious elsewhere. `form`: suspicious if it leads to a program,
 * because pages pasted into documents have such controls. `browser`: suspicious, and malicious with a shortcut inside.
 */
type ClassRisk = 'malicious' | 'suspicious' | 'rtf' | 'form' | 'browser'

interface RiskyClass {
  name: string
  /** Vulnerabilities that attacks reach through it. */
  cves: string
  risk: ClassRisk
}

const ROWS: readonly (readonly [clsid: string, risk: ClassRisk, name: string, cves: string])[] = [
  ['00000535-0000-0010-8000-00aa006d2ea4', 'suspicious', 'ADODB record set', 'CVE-2015-0097'],
  ['000c1082-0000-0000-c000-000000000046', 'malicious', 'installer transform (mst)', ''],
  ['000c1084-0000-0000-c000-000000000046', 'malicious', 'installer package (msi)', ''],
  ['000c1086-0000-0000-c000-000000000046', 'malicious', 'installer patch (msp)', ''],
  ['04a1e553-fe36-4fde-865e-344194e69424', 'suspicious', 'ink picture control', ''],
  ['05741520-c4eb-440a-ac3f-9643bbc9f847', 'suspicious', 'Office toolkit loader', ''],
  ['06290bd2-48aa-11d2-8432-006008c3fbfc', 'malicious', 'scriptlet file factory', 'CVE-2017-8570'],
  ['06290bd3-48aa-11d2-8432-006008c3fbfc', 'malicious', 'script moniker: Windows script component', 'CVE-2017-0199'],
  ['0cf774d0-f077-11d1-b1bc-00c04f86c324', 'suspicious', 'HTML script encoder', ''],
  ['0d43fe01-f093-11cf-8940-00a0c9054228', 'suspicious', 'file system object', ''],
  ['0e59f1d5-1fbe-11d0-8ff2-00a0d10038bc', 'malicious', 'script control', 'CVE-2015-0097'],
  ['13709620-c279-11ce-a49e-444553540000', 'malicious', 'shell application', ''],
  ['1461a561-24e8-4ba3-8d4a-ffeef980556b', 'suspicious', 'business connectivity add-in', 'CVE-2016-0042'],
  ['14ce31dc-abc2-484c-b061-cf3416aed8ff', 'suspicious', 'loads an update library', 'CVE-2015-6128'],
  ['1d8a9b47-3a28-4ce2-8a4b-bd34e45bceeb', 'suspicious', 'UPnP description', ''],
  ['1efb6596-857c-11d1-b16a-00c0f0283628', 'rtf', 'common controls: tab strip', 'CVE-2012-1856 CVE-2013-3906'],
  ['233c1507-6a77-46a4-9443-f871f945d258', 'suspicious', 'Shockwave movie', ''],
  ['23ce100b-1390-49d6-ba00-f17d3aee149c', 'suspicious', 'unified messaging add-in control', 'CVE-2016-0042'],
  ['25336920-03f9-11cf-8fd0-00aa00686f13', 'suspicious', 'HTML document (MSHTML)', 'CVE-2021-40444'],
  ['29131539-2eed-1069-bf5d-00dd011186b7', 'suspicious', 'Lotus Notes session', 'CVE-2021-27058'],
  ['3018609e-cdbc-47e8-a255-809d46baa319', 'suspicious', 'SQL Compact listener', ''],
  ['3050f3d9-98b5-11cf-bb82-00aa00bdce0b', 'suspicious', 'MHTML document', 'CVE-2021-40444'],
  ['3050f4d8-98b5-11cf-bb82-00aa00bdce0b', 'malicious', 'HTML application (HTA)', 'CVE-2017-0199'],
  ['33bd73c2-7bb4-48f4-8dbc-82b8b313ae16', 'suspicious', 'Office sandbox manager', 'CVE-2015-1770'],
  ['33fd0563-d81a-4393-83cc-0195b1da2f91', 'suspicious', 'UPnP description, second', ''],
  ['394c052e-b830-11d0-9a86-00c04fd8dbf7', 'suspicious', 'loads an event log library', 'CVE-2015-6128'],
  ['3ba59fa5-41bf-4820-98e4-04645a806698', 'suspicious', 'Office sandbox content', 'CVE-2015-1770'],
  ['41b9be05-b3af-460c-bf0b-2cdd44a093b1', 'suspicious', 'search XML filter', ''],
  ['4315d437-5b8c-11d0-bd3b-00a0c911ce86', 'suspicious', 'device moniker', 'CVE-2016-0015'],
  ['44f9a03b-a3ec-4f3b-9364-08e0007f21df', 'suspicious', 'task symbol control', 'CVE-2015-1642 CVE-2015-2424'],
  ['49b2791a-b1ae-4c90-9b8e-e860ba07f889', 'malicious', 'management console application', ''],
  ['5512d110-5cc6-11cf-8d67-00aa00bdce1d', 'form', 'HTML submit button', ''],
  ['5512d112-5cc6-11cf-8d67-00aa00bdce1d', 'form', 'HTML image', ''],
  ['66833fe6-8583-11d1-b16a-00c0f0283628', 'rtf', 'common controls: toolbar', 'CVE-2012-0158 CVE-2012-1856'],
  ['6ad4ae40-2ff1-4d88-b27a-f76fc7b40440', 'suspicious', 'business connectivity, second class', 'CVE-2016-0042'],
  ['72c24dd5-d70a-438b-8a42-98424b88afb8', 'malicious', 'Windows script shell', ''],
  ['799ed9ea-fb5e-11d1-b7d6-00c04fc2aae2', 'suspicious', 'VBA add-in', 'CVE-2016-0042'],
  ['79eac9e2-baf9-11ce-8c82-00aa004ba90b', 'suspicious', 'http protocol handler', ''],
  ['79eac9e3-baf9-11ce-8c82-00aa004ba90b', 'suspicious', 'ftp protocol handler', ''],
  ['79eac9e5-baf9-11ce-8c82-00aa004ba90b', 'suspicious', 'https protocol handler', ''],
  ['79eac9e6-baf9-11ce-8c82-00aa004ba90b', 'suspicious', 'mk protocol handler', ''],
  ['79eac9e7-baf9-11ce-8c82-00aa004ba90b', 'suspicious', 'file protocol handler', ''],
  ['85131630-480c-11d2-b1f9-00c04f86c324', 'suspicious', 'JScript encoder', ''],
  ['85131631-480c-11d2-b1f9-00c04f86c324', 'suspicious', 'VBScript encoder', ''],
  ['8627e73b-b5aa-4643-a3b0-570eda17e3e7', 'suspicious', 'unified messaging button bar', 'CVE-2016-0042'],
  ['8856f961-340a-11d0-a96b-00c04fd705a2', 'browser', 'web browser control', ''],
  ['88d969e5-f192-11d4-a65f-0040963251e5', 'suspicious', 'XML document 5', 'CVE-2013-0006'],
  ['88d969ea-f192-11d4-a65f-0040963251e5', 'suspicious', 'XML HTTP request 5', ''],
  ['88d969eb-f192-11d4-a65f-0040963251e5', 'suspicious', 'server XML HTTP request 5', ''],
  ['9181dc5f-e07d-418a-aca6-8eea1ecb8e9e', 'rtf', 'common controls: tree view (later)', 'CVE-2012-0158'],
  ['975797fc-4e2a-11d0-b702-00c04fd8dbf7', 'suspicious', 'loads an event log library', 'CVE-2015-6128'],
  ['996bf5e0-8044-4650-adeb-0b013914e99c', 'rtf', 'common controls: list view (later)', 'CVE-2012-0158'],
  ['9ba05972-f6a8-11cf-a442-00a0c90a8f39', 'malicious', 'shell windows', ''],
  ['9c38ed61-d565-4728-aeee-c80952f0ecde', 'suspicious', 'virtual disk loader', 'CVE-2021-27058'],
  ['a08a033d-1a75-4ab6-a166-ead02f547959', 'suspicious', 'Office toolkit assembly object', ''],
  ['ae24fdae-03c6-11d1-8b76-0080c744f389', 'suspicious', 'scriptlet control', ''],
  ['b54f3741-5b07-11cf-a4b0-00aa004a55e8', 'malicious', 'VBScript engine', ''],
  ['bdd1f04b-858b-11d1-b16a-00c0f0283628', 'rtf', 'common controls: list view', 'CVE-2012-0158'],
  ['c08afd90-f2a1-11d1-8455-00a0c91f3880', 'malicious', 'shell browser window', ''],
  ['c74190b6-8589-11d1-b16a-00c0f0283628', 'rtf', 'common controls: tree view', 'CVE-2012-0158'],
  ['ccd068cd-1260-4aea-b040-a87974eb3aef', 'suspicious', 'unified messaging rooms pane', 'CVE-2016-0042'],
  ['cddbcc7c-be18-4a58-9cbf-d62a012272ce', 'suspicious', 'Office sandbox', 'CVE-2015-1770'],
  ['cdf1c8aa-2d25-43c7-8afe-01f73a3c66da', 'suspicious', 'unified messaging inspector', 'CVE-2016-0042'],
  ['d27cdb6e-ae6d-11cf-96b8-444553540000', 'suspicious', 'Flash movie', 'CVE-2018-4878 CVE-2018-15982'],
  ['d27cdb70-ae6d-11cf-96b8-444553540000', 'suspicious', 'Flash factory', 'CVE-2018-4878'],
  ['d50fed35-0a08-4b17-b3e0-a8dd0ede375d', 'suspicious', 'unified messaging phone dialog', 'CVE-2016-0042'],
  ['d93ce8b5-3bf8-462c-a03f-ded2730078ba', 'suspicious', 'loads an update library', 'CVE-2015-6128'],
  ['dd9da666-8594-11d1-b16a-00c0f0283628', 'rtf', 'common controls: image combo', 'CVE-2014-1761'],
  ['df630910-1c1d-11d0-ae36-8c0f5e000000', 'suspicious', 'Python COM loader', 'CVE-2021-27058'],
  ['dfeaf541-f3e1-4c24-acac-99c30715084a', 'suspicious', 'Silverlight', ''],
  ['e5ca59f5-57c4-4dd8-9bd6-1deeedd27af4', 'suspicious', 'ink edit control', ''],
  ['e8cc4cbe-fdff-11d0-b865-00a0c9081c1d', 'suspicious', 'Oracle data provider', ''],
  ['e8cc4cbf-fdff-11d0-b865-00a0c9081c1d', 'suspicious', 'loads an Oracle library', 'CVE-2015-6128'],
  ['eab22ac3-30c1-11cf-a7eb-0000c05bae0b', 'browser', 'web browser control, version 1', ''],
  ['ecabafc6-7f19-11d2-978e-0000f8757e2a', 'malicious', 'new moniker', 'CVE-2017-8570'],
  ['ecabafc7-7f19-11d2-978e-0000f8757e2a', 'suspicious', 'queue moniker', ''],
  ['ecabafc9-7f19-11d2-978e-0000f8757e2a', 'suspicious', 'loads a message queue library', 'CVE-2015-6128'],
  ['ecabb0c7-7f19-11d2-978e-0000f8757e2a', 'malicious', 'SOAP (WSDL) moniker', 'CVE-2017-8759'],
  ['ecf44975-786e-462f-b02a-cbccb1a2c4a2', 'suspicious', 'unified messaging form region', 'CVE-2016-0042'],
  ['f414c260-6ac0-11cf-b6d1-00aa00bbbb58', 'malicious', 'JScript engine', ''],
  ['f959dbbb-3867-41f2-8e5f-3b8befaa81b3', 'suspicious', 'unified messaging form region add-in', 'CVE-2016-0042'],
]

/** By class id in lower case, with hyphens and without braces. */
export const RISKY_CLASSES: ReadonlyMap<string, RiskyClass> = new Map(
  ROWS.map(([clsid, risk, name, cves]) => [clsid, { name, cves, risk }]),
)
