<?php
// Usage: DOCVET_KEY=dv_live_… php scan.php FILE. Exit code: 0 clean, 1 infected, 2 no verdict. PHP 8 with the extension curl.

function scan(string $path): array
{
    $request = curl_init('http://127.0.0.1:8080/api/v1/scan');
    curl_setopt_array($request, [
        CURLOPT_HTTPHEADER => ['X-API-Key: ' . getenv('DOCVET_KEY')],
        CURLOPT_POSTFIELDS => ['file' => new CURLFile($path, 'application/octet-stream', basename($path))],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 60,
    ]);
    $body = curl_exec($request);
    if ($body === false) {
        throw new RuntimeException('no verdict: ' . curl_error($request));
    }
    $result = json_decode($body, true, 8, JSON_THROW_ON_ERROR);
    if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
        // 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
        throw new RuntimeException("no verdict: {$result['code']}: {$result['detail']}");
    }
    return $result;
}

try {
    $result = scan($argv[1]);
} catch (Exception $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(2);
}
echo $result['status'] === 'clean' ? 'clean' : "infected: {$result['threat']}", "\n";
exit($result['status'] === 'clean' ? 0 : 1);
