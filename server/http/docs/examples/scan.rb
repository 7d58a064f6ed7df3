# Usage: DOCVET_KEY=dv_live_… ruby scan.rb FILE. Exit code: 0 clean, 1 infected, 2 no verdict. Ruby 2.7 or newer.
require 'json'
require 'net/http'

def scan(path)
  uri = URI('http://127.0.0.1:8080/api/v1/scan')
  request = Net::HTTP::Post.new(uri, 'X-API-Key' => ENV.fetch('DOCVET_KEY'))
  name = File.basename(path).gsub('"', '%22').gsub("\r", '%0D').gsub("\n", '%0A')
  request.set_form([['file', File.open(path, 'rb'), { filename: name }]], 'multipart/form-data')
  connection = { use_ssl: uri.scheme == 'https', read_timeout: 60 }
  response = Net::HTTP.start(uri.host, uri.port, connection) { |http| http.request(request) }
  result = JSON.parse(response.body)
  return result if response.is_a?(Net::HTTPOK)

  # 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
  raise "#{result['code']}: #{result['detail']}"
end

begin
  result = scan(ARGV[0])
rescue StandardError => error
  warn "no verdict: #{error.message}"
  exit 2
end
puts result['status'] == 'clean' ? 'clean' : "infected: #{result['threat']}"
exit result['status'] == 'clean' ? 0 : 1
