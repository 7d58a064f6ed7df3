<?php
// Answers with the files that PHP sees in the form of the request, as JSON.
$files = [];
foreach ($_FILES as $name => $file) {
    $names = (array) $file['name'];
    $paths = (array) $file['tmp_name'];
    array_walk_recursive($paths, function ($path, $key) use (&$files, $name, $names) {
        if ($path === '') return;
        $files[] = ['name' => (string) $name, 'fileName' => (string) ($names[$key] ?? ''), 'sha256' => hash_file('sha256', $path)];
    });
}
header('Content-Type: application/json');
echo json_encode(['files' => $files, 'error' => null], JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
