// Prints the files that Go's form parser sees in each form of a folder, as JSON lines.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

type file struct {
	Name     string `json:"name"`
	FileName string `json:"fileName"`
	Sha256   string `json:"sha256"`
}

type seen struct {
	Form   string  `json:"form"`
	Parser string  `json:"parser"`
	Files  []file  `json:"files"`
	Error  *string `json:"error"`
}

func read(contentType string, body []byte) ([]file, error) {
	files := []file{}
	request, err := http.NewRequest("POST", "/", bytes.NewReader(body))
	if err != nil {
		return files, err
	}
	request.Header.Set("Content-Type", contentType)
	reader, err := request.MultipartReader()
	if err != nil {
		return files, err
	}
	for {
		part, err := reader.NextPart()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return files, err
		}
		content, err := io.ReadAll(part)
		if part.FileName() != "" {
			sum := sha256.Sum256(content)
			files = append(files, file{part.FormName(), part.FileName(), hex.EncodeToString(sum[:])})
		}
		if err != nil {
			return files, err
		}
	}
}

func main() {
	paths, _ := filepath.Glob(filepath.Join(os.Args[1], "*.form"))
	output := json.NewEncoder(os.Stdout)
	for _, path := range paths {
		whole, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		contentType, body, _ := bytes.Cut(whole, []byte("\r\n"))
		files, err := read(string(contentType), body)
		line := seen{strings.TrimSuffix(filepath.Base(path), ".form"), "go", files, nil}
		if err != nil {
			message := err.Error()
			line.Error = &message
		}
		output.Encode(line)
	}
}
