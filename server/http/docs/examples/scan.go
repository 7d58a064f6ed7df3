// Usage: DOCVET_KEY=dv_live_… go run scan.go FILE. Exit code: 0 clean, 1 infected, 2 no verdict (go run prints it and exits with 1).
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

type Result struct{ Status, Threat, Code, Detail string }

func scan(path string) (*Result, error) {
	document, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer document.Close()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", filepath.Base(path))
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(part, document); err != nil {
		return nil, err
	}
	if err = form.Close(); err != nil {
		return nil, err
	}
	request, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/v1/scan", &body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-Key", os.Getenv("DOCVET_KEY"))
	request.Header.Set("Content-Type", form.FormDataContentType())
	client := http.Client{Timeout: time.Minute}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var result Result
	// `status` is a number in errors, and stays empty then.
	if err = json.NewDecoder(response.Body).Decode(&result); err != nil && response.StatusCode == 200 {
		return nil, err
	}
	if response.StatusCode != 200 {
		// 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
		return nil, fmt.Errorf("%s: %s", result.Code, result.Detail)
	}
	return &result, nil
}

func main() {
	result, err := scan(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "no verdict:", err)
		os.Exit(2)
	}
	if result.Status != "clean" {
		fmt.Println("infected:", result.Threat)
		os.Exit(1)
	}
	fmt.Println("clean")
}
