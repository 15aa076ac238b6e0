package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"locklab/history"
	"locklab/internal/study"
	"locklab/internal/view"
	"locklab/plots/page"
)

func newView() *cobra.Command {
	var noBrowser bool
	cmd := &cobra.Command{
		Use:   "view FOLDER|FILE",
		Short: "Look at a folder of results in the browser: pages, figures, and every run as a timeline",
		Long: `Serves a folder of results, or one file, to a browser on this machine, and opens
it: pages and figures as they are, and the events of every run (histories/ of
lesson and real, -o of trace) as a timeline that can be played, however many and
long they are. It can only be read, and only from this machine. Ctrl-C ends it.`,
		Example: `  locklab view out/lesson
  locklab view out/lesson/histories/lesson-d-0.jsonl`,
		Args: exactlyOne("a folder of results, or a file"),
		RunE: func(cmd *cobra.Command, args []string) error { return runView(cmd, args[0], noBrowser) },
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address")
	return cmd
}

func runView(cmd *cobra.Command, name string, noBrowser bool) (err error) {
	folder, err := view.Open(name)
	if err != nil {
		return fmt.Errorf("view: %w", err)
	}
	defer func() {
		if closing := folder.Close(); err == nil {
			err = closing
		}
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("view: %w", err)
	}
	address := fmt.Sprintf("http://%s/", listener.Addr())
	if _, err := fmt.Fprintln(cmd.OutOrStdout(), address); err != nil {
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "serving to this machine only; Ctrl-C ends it")
	if !noBrowser {
		if err := browse(address); err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "no browser could be opened (%v); open the address above\n", err)
		}
	}
	return serve(cmd.Context(), listener, view.NewSite(folder, listener.Addr(), timelines(folder.Sources())))
}

// serve serves until ctx is done.
func serve(ctx context.Context, l net.Listener, site http.Handler) error {
	server := http.Server{Handler: site, ReadHeaderTimeout: 10 * time.Second}
	done := context.AfterFunc(ctx, func() { server.Close() })
	defer done()
	if err := server.Serve(l); err != http.ErrServerClosed {
		return fmt.Errorf("view: %w", err)
	}
	return nil
}

// timelines writes pages of runs, about which the sources say more.
func timelines(sources []history.Source) view.Timeline {
	return func(w io.Writer, title string, names []string, events [][]history.Event) error {
		p := page.Page{Title: title, AllRuns: true}
		for i, name := range names {
			p.Runs = append(p.Runs, study.FileRun(name, events[i], sources))
		}
		p.Runs = study.InTurn(p.Runs)
		return p.Write(w)
	}
}

// browse opens an address in the browser.
func browse(address string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", address).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Start()
	}
	return exec.Command("xdg-open", address).Start()
}
