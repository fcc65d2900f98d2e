package api

import (
	"net/http"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listDeliveries(x *request) error {
	webhook, err := x.pathID()
	if err != nil {
		return err
	}
	return serveList(x, "/webhooks/"+webhook.String()+"/deliveries", sortfilter.DeliveryParameters, of(a.store.Deliveries, webhook), db.Delivery.AppendJSON)
}

// deliveryIDs returns the webhook and the delivery that the path names.
func (x *request) deliveryIDs() (webhook, delivery uuid.UUID, err error) {
	if webhook, err = x.pathID(); err == nil {
		delivery, err = x.idParam("delivery")
	}
	return webhook, delivery, err
}

func (a *API) showDelivery(x *request) error {
	webhook, id, err := x.deliveryIDs()
	if err != nil {
		return err
	}
	d, err := a.store.Delivery(x.r.Context(), x.key.Account, webhook, id)
	if err != nil {
		return err
	}
	document := deliveryDocument(d)
	x.sendRecord(document, hashTag(document))
	return nil
}

// updateDelivery has a delivery attempted once more. A request without that changes nothing and shows it.
func (a *API) updateDelivery(x *request) error {
	webhook, id, err := x.deliveryIDs()
	if err != nil {
		return err
	}
	b, err := x.readBody()
	if err != nil {
		return err
	}
	again := b.flag("resend", "attempt it once more, now")
	if wrong := b.finish(); wrong != nil {
		return invalidFields(wrong)
	}
	var d db.Delivery
	if again {
		d, err = a.store.Resend(x.r.Context(), x.key.Account, webhook, id, x.deliveryUnchanged)
	} else if d, err = a.store.Delivery(x.r.Context(), x.key.Account, webhook, id); err == nil {
		err = x.deliveryUnchanged(d)
	}
	if err != nil {
		return err
	}
	document := deliveryDocument(d)
	x.sendChanged(http.StatusOK, document, hashTag(document))
	return nil
}
