/** How to scan a document from code, with the URL of this server. The key comes from the environment. */

/** A document that everybody has: a harmless one of this server, which is reported as infected. */
export const sampleCommand = (
  origin: string,
): string => `curl -s ${origin}/samples/infected.zip | curl ${origin}/api/v1/scan \\
  -H "X-API-Key: $DOCVET_KEY" \\
  -F 'file=@-;filename=infected.zip'`

export const snippets = (origin: string): readonly { title: string; code: string }[] => [
  {
    title: 'curl',
    code: `curl ${origin}/api/v1/scan \\
  -H "X-API-Key: $DOCVET_KEY" \\
  -F file=@invoice.pdf`,
  },
  {
    title: 'Node',
    code: `import { openAsBlob } from 'node:fs'

const form = new FormData()
form.set('file', await openAsBlob('invoice.pdf'), 'invoice.pdf')
const response = await fetch('${origin}/api/v1/scan', {
  method: 'POST',
  headers: { 'X-API-Key': process.env.DOCVET_KEY },
  body: form,
})
const scan = await response.json()
console.log(response.ok ? scan.status : scan.detail)`,
  },
  {
    title: 'Python',
    code: `import os, requests

with open("invoice.pdf", "rb") as document:
    response = requests.post(
        "${origin}/api/v1/scan",
        headers={"X-API-Key": os.environ["DOCVET_KEY"]},
        files={"file": document},
    )
scan = response.json()
print(scan["status"] if response.ok else scan["detail"])`,
  },
  {
    title: 'PHP',
    code: `$request = curl_init('${origin}/api/v1/scan');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('DOCVET_KEY')],
    CURLOPT_POSTFIELDS => ['file' => new CURLFile('invoice.pdf')],
]);
$scan = json_decode(curl_exec($request), true);
echo $scan['status'] === 'clean' || $scan['status'] === 'infected' ? $scan['status'] : $scan['detail'];`,
  },
  {
    title: 'Ruby',
    code: `require 'json'
require 'net/http'

uri = URI('${origin}/api/v1/scan')
request = Net::HTTP::Post.new(uri, 'X-API-Key' => ENV.fetch('DOCVET_KEY'))
request.set_form([['file', File.open('invoice.pdf', 'rb')]], 'multipart/form-data')
response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
scan = JSON.parse(response.body)
puts response.is_a?(Net::HTTPOK) ? scan['status'] : scan['detail']`,
  },
  {
    title: 'Java',
    code: String.raw`var boundary = UUID.randomUUID().toString();
var head = "--" + boundary
    + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"invoice.pdf\"\r\n\r\n";
var tail = "\r\n--" + boundary + "--\r\n";
var document = Files.readAllBytes(Path.of("invoice.pdf"));
var request = HttpRequest.newBuilder(URI.create("${origin}/api/v1/scan"))
    .header("X-API-Key", System.getenv("DOCVET_KEY"))
    .header("Content-Type", "multipart/form-data; boundary=" + boundary)
    .POST(BodyPublishers.ofByteArrays(List.of(head.getBytes(), document, tail.getBytes())))
    .build();
var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
System.out.println(client.send(request, BodyHandlers.ofString()).body());`,
  },
  {
    title: 'C#',
    code: `using var client = new HttpClient();
client.DefaultRequestHeaders.Add("X-API-Key", Environment.GetEnvironmentVariable("DOCVET_KEY"));
using var form = new MultipartFormDataContent();
form.Add(new StreamContent(File.OpenRead("invoice.pdf")), "file", "invoice.pdf");
var response = await client.PostAsync("${origin}/api/v1/scan", form);
Console.WriteLine(await response.Content.ReadAsStringAsync());`,
  },
  {
    title: 'Go',
    code: `var body bytes.Buffer
form := multipart.NewWriter(&body)
part, _ := form.CreateFormFile("file", "invoice.pdf")
document, _ := os.ReadFile("invoice.pdf")
part.Write(document)
form.Close()
request, _ := http.NewRequest("POST", "${origin}/api/v1/scan", &body)
request.Header.Set("X-API-Key", os.Getenv("DOCVET_KEY"))
request.Header.Set("Content-Type", form.FormDataContentType())
response, err := http.DefaultClient.Do(request)`,
  },
  {
    title: 'Node, with the client',
    code: `import { Docvet } from '@docvet/client'

const docvet = new Docvet({ url: '${origin}' })
const { status, threat, reason } = await docvet.scan('invoice.pdf')
console.log(status, threat ?? reason)`,
  },
  {
    title: 'Python, with the client',
    code: `from docvet import Docvet

result = Docvet(url="${origin}").scan("invoice.pdf")
print(result.status, result.threat or result.reason)`,
  },
]
