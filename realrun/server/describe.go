package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Describe asks any server, a private one or a user's own, what it is: product "redis" or "valkey", and its version,
// as "7.0.15". An error names the server's address and the cause.
func Describe(ctx context.Context, client *redis.Client) (product, version string, err error) {
	fields, err := infoServer(ctx, client)
	if err != nil {
		return "", "", err
	}
	product, version, err = productOf(fields)
	if err != nil {
		return "", "", fmt.Errorf("server at %s: %w", client.Options().Addr, err)
	}
	return product, version, nil
}

// infoServer is the answer to INFO server, by field.
func infoServer(ctx context.Context, client *redis.Client) (map[string]string, error) {
	text, err := client.Info(ctx, "server").Result()
	if err != nil {
		return nil, fmt.Errorf("ask the server at %s what it is (INFO server): %w", client.Options().Addr, err)
	}
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[key] = value
		}
	}
	return fields, nil
}

// productOf tells the product by the fields of INFO server. Valkey also has a redis_version: the one that it is
// compatible with.
func productOf(fields map[string]string) (product, version string, err error) {
	if version := fields["valkey_version"]; version != "" {
		return "valkey", version, nil
	}
	if version := fields["redis_version"]; version != "" {
		return "redis", version, nil
	}
	return "", "", errors.New("its INFO names no version: it is neither Redis nor Valkey")
}
