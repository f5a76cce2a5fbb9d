// Submit, wait and download with Go's standard library, and verify webhooks.
//
//	WINNOW_API_KEY=... go run examples/other-languages/winnow.go https://example.com/ files
//	WINNOW_WEBHOOK_SECRET=... go run examples/other-languages/winnow.go --verify SIGNATURE < body
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Result has the fields that this program needs.
type Result struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Error   string `json:"error"`
	Summary struct {
		Files []string `json:"files"`
	} `json:"summary"`
	Failure struct {
		Hint string `json:"hint"`
	} `json:"failure"`
}

func server() string {
	if address := os.Getenv("WINNOW_URL"); address != "" {
		return strings.TrimRight(address, "/")
	}
	return "http://127.0.0.1:8787"
}

// call returns the status and the body; a refusal is an error with the service's message.
func call(method, path string, body any, key string) (int, []byte, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequest(method, server()+path, content)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("x-api-key", os.Getenv("WINNOW_API_KEY"))
	request.Header.Set("content-type", "application/json")
	if key != "" {
		request.Header.Set("idempotency-key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 400 {
		var refusal struct {
			Error struct{ Code, Message string }
		}
		_ = json.Unmarshal(answer, &refusal)
		err = fmt.Errorf("%s: %s", refusal.Error.Code, refusal.Error.Message)
	}
	return response.StatusCode, answer, err
}

// submit retries with the same key if there is no response, so it is never charged twice.
func submit(body any) (string, error) {
	var made struct{ ID string }
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	key := hex.EncodeToString(random)
	for tries := 1; ; tries++ {
		status, answer, err := call("POST", "/v1/extractions", body, key)
		if err == nil {
			err = json.Unmarshal(answer, &made)
			return made.ID, err
		}
		if status != 0 || tries == 3 {
			return "", err
		}
		time.Sleep(time.Second)
	}
}

// wait polls every two seconds: 202 while it runs, 200 when it has ended.
func wait(id string) (result Result, err error) {
	for {
		status, answer, err := call("GET", "/v1/extractions/"+id+"/result", nil, "")
		if err != nil {
			return result, err
		}
		if status == http.StatusOK {
			return result, json.Unmarshal(answer, &result)
		}
		time.Sleep(2 * time.Second)
	}
}

func download(result Result, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range result.Summary.Files {
		path := "/v1/extractions/" + result.ID + "/files/" + url.PathEscape(name)
		_, content, err := call("GET", path, nil, "")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
		fmt.Println(filepath.Join(folder, name))
	}
	return nil
}

// isFromWinnow verifies the raw bytes of the body against the header X-Service-Signature.
func isFromWinnow(payload []byte, signature, secret string, tolerance time.Duration) bool {
	var at string
	var signatures []string
	for _, part := range strings.Split(signature, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "t" && at != "" {
			return false
		}
		if name == "t" {
			at = value
		}
		if name == "v1" {
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(payload)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	for _, each := range signatures {
		if hmac.Equal(expected, []byte(each)) {
			return true
		}
	}
	return false
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("give a URL and a folder")
	}
	if args[0] == "--verify" {
		payload, err := io.ReadAll(os.Stdin)
		if err == nil && !isFromWinnow(payload, args[1], os.Getenv("WINNOW_WEBHOOK_SECRET"), 300*time.Second) {
			err = fmt.Errorf("this is not from Winnow, or too old")
		}
		return err
	}
	id, err := submit(map[string]any{"url": args[0]})
	if err != nil {
		return err
	}
	result, err := wait(id)
	if err != nil {
		return err
	}
	if result.Status != "complete" {
		return fmt.Errorf("%s %s", result.Error, result.Failure.Hint)
	}
	return download(result, args[1])
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
